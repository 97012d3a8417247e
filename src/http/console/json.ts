// How the console reads what pages send, and answers them.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { holderOf } from "../../addresses.ts";
import { inThisThread, type Readers, ReadingFailed, shareOf } from "../../readers/task.ts";
import type { Share } from "../door/body-room.ts";
import { takesPacked } from "../door/packing.ts";
import type { RequestBodies } from "../door/request-body.ts";
import { readJson, type SentJson } from "./long-json.ts";
import { isRefused, statusOf } from "./operation/refusal.ts";

type Bounds = { most: number; share: Share; carries?: string | undefined };

export async function bodyOf(
  { bodies, readers = inThisThread }: { bodies: RequestBodies; readers?: Readers },
  request: FastifyRequest,
  { most, share, carries }: Bounds,
): Promise<SentJson> {
  const read = await bodies.read(request.raw, most, share);
  if ("failed" in read && read.failed === "busy" && "exchange" in share) throw new ReadingFailed("busy");
  if ("failed" in read) return NOTHING;
  const whose = "exchange" in share ? shareOf(share.exchange) : holderOf(share.stranger);
  return readJson(readers, read.body, { share: whose, when: "now", carries });
}

const NOTHING: SentJson = { value: undefined, uploaded: undefined };

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
