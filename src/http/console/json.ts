// How the console reads what pages send, and answers them.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { takesPacked } from "../door/packing.ts";
import type { RequestBodies, Share } from "../door/request-body.ts";
import { isRefused, statusOf } from "./operation/refusal.ts";

/** Undefined for what is no JSON: no schema takes it. */
export async function bodyOf(
  { bodies }: { bodies: RequestBodies },
  request: FastifyRequest,
  { most, share }: { most: number; share: Share },
): Promise<unknown> {
  const read = await bodies.read(request.raw, most, share);
  if ("failed" in read) return undefined;
  try {
    return JSON.parse(read.body.toString("utf8") || "{}");
  } catch {
    return undefined;
  }
}

/** Below this, what is packed is hardly smaller. */
const WORTH_PACKING = 1_400;

/** By threads of its own: calls do not wait for it. Only pages of ours can ask, so nobody learns from how long it is. */
const pack = promisify(gzip);

export async function answer(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  if (isRefused(value)) reply.code(statusOf(value));
  const text = JSON.stringify(value);
  const isPacked = text.length >= WORTH_PACKING && takesPacked(reply.request);
  const sent = isPacked ? await pack(text) : text;
  if (isPacked) reply.headers({ "content-encoding": "gzip", vary: "accept-encoding" });
  return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(sent);
}
