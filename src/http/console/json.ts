// How the console reads what pages send, and answers them.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { ReadRequestBody } from "../door/request-body.ts";
import { isRefused, statusOf } from "./operation/refusal.ts";

/** Undefined for what is no JSON: no schema takes it. */
export async function bodyOf(
  { readRequestBody }: { readRequestBody: ReadRequestBody },
  request: FastifyRequest,
  most: number,
): Promise<unknown> {
  const read = await readRequestBody(request.raw, most);
  if ("failed" in read) return undefined;
  try {
    return JSON.parse(read.body.toString("utf8") || "{}");
  } catch {
    return undefined;
  }
}

export function answer(reply: FastifyReply, value: unknown): FastifyReply {
  if (isRefused(value)) reply.code(statusOf(value));
  return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(JSON.stringify(value));
}
