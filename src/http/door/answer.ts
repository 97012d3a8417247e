// What a handler may say: a text, a JSON value, a file or a refusal. How it goes onto the wire is decided here, once.

import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { whenStalled } from "../../clock.ts";
import { isForPeople, sendWaitingPage } from "./waiting-page.ts";
import { onTheWire, type WireRefusal } from "./wire-words.ts";

export type TextAnswer = { says: "text"; text: string };
export type JsonAnswer = { says: "json"; text: string };
export type FileAnswer = {
  says: "file";
  mediaType: string;
  size: number;
  /** A refusal when it lies where it cannot be had now; nothing when it went away. */
  open(range: ByteRange): Promise<Readable | RefusedAnswer | undefined>;
};
export type RefusedAnswer<Refusal extends WireRefusal = WireRefusal> = { says: "no"; refusal: Refusal };
export type Answer = TextAnswer | JsonAnswer | FileAnswer | RefusedAnswer;

/** Both ends are inside. */
export type ByteRange = { from: number; to: number };

/** Who fetches a file and stops reading it has gone away without a word. */
const LONGEST_STALL_MS = 180_000;

const TEXT = "text/plain; charset=utf-8";
const NO_SNIFFING = ["x-content-type-options", "nosniff"] as const;
const JSON_TYPE = "application/json; charset=utf-8";

export const OK = text("OK");

export function text(words: string | number): TextAnswer {
  return { says: "text", text: String(words) };
}

export function json(value: unknown): JsonAnswer {
  return { says: "json", text: JSON.stringify(value) };
}

export function refuse<const Refusal extends WireRefusal>(refusal: Refusal): RefusedAnswer<Refusal> {
  return { says: "no", refusal };
}

export function isRefused(answer: unknown): answer is RefusedAnswer {
  return typeof answer === "object" && answer !== null && "says" in answer && answer.says === "no";
}

export function statusOf(answer: Answer): number {
  return answer.says === "no" ? onTheWire(answer.refusal)[0] : 200;
}

/** Bodies end where they end: clients read an ID with a strict parser, so no newline follows. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply | Promise<FastifyReply> {
  switch (answer.says) {
    case "text":
      return sendAtOnce(reply, TEXT, answer.text);
    case "json":
      return sendAtOnce(reply, JSON_TYPE, answer.text);
    case "file":
      return sendFile(reply, answer);
    case "no":
      return sendRefusal(reply, answer.refusal);
  }
}

function sendRefusal(reply: FastifyReply, refusal: WireRefusal): FastifyReply {
  if (refusal.refused === "busy" && isForPeople(reply.request)) return sendWaitingPage(reply, refusal.seconds);
  const [status, words] = onTheWire(refusal);
  // What is too large has not been read to its end, so nothing sensible can follow on this line.
  if (status === 413) reply.header("connection", "close");
  if ("seconds" in refusal) reply.header("retry-after", refusal.seconds);
  return reply
    .code(status)
    .header(...NO_SNIFFING)
    .type(TEXT)
    .send(words);
}

// The common success goes straight to the socket: Fastify's own way costs a tenth of a small request more.
function sendAtOnce(reply: FastifyReply, type: string, body: string): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
  });
  reply.raw.end(body);
  return reply;
}

// Without a Range header the whole file goes out with 200: some clients take a 206 for a failure.
async function sendFile(reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> {
  const range = rangeOf(reply.request.headers.range, file.size);
  reply
    .header("accept-ranges", "bytes")
    .header("cache-control", "private, no-store")
    .header(...NO_SNIFFING);
  if (range === "unsatisfiable")
    return reply.code(416).header("content-range", `bytes */${file.size}`).type(TEXT).send("range not satisfiable");
  const part = range ?? { from: 0, to: file.size - 1 };
  const isRead = reply.request.method !== "HEAD" && file.size > 0;
  const stream = isRead ? await file.open(part) : undefined;
  if (isRefused(stream)) return sendRefusal(reply, stream.refusal);
  if (range) reply.code(206).header("content-range", `bytes ${part.from}-${part.to}/${file.size}`);
  reply.type(file.mediaType).header("content-length", part.to - part.from + 1);
  if (!isRead) return reply.send("");
  if (!stream) throw new Error("a file went away while it was being fetched");
  whenStalled(reply.raw, LONGEST_STALL_MS, () => reply.raw.destroy());
  return reply.send(stream);
}

/** One range of RFC 9110 section 14; several at once, or words we cannot read, are answered with the whole file. */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return undefined;
  return from >= size ? "unsatisfiable" : { from, to };
}
