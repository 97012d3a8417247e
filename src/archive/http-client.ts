// Requests to a store outside: guarded as webhooks are, never redirected, streamed both ways, patient only for so long.

import { Agent, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../clock.ts";
import { openNames, type Resolve } from "../names.ts";
import { checkUrl, type GuardOptions, guardedLookup, NotPublic } from "../webhooks/guard.ts";
import { type Trouble, trouble } from "./archive.ts";

export type StoreRequest = {
  method: string;
  url: URL;
  headers?: Record<string, string>;
  body?: string | { size: number; open(): Readable };
  signal?: AbortSignal | undefined;
};

/** The body is read by whoever asked, to its end, or destroyed. */
export type StoreAnswer = { status: number; headers: IncomingHttpHeaders; body: Readable };

export type HttpClient = {
  ask(wanted: StoreRequest): Promise<StoreAnswer | Trouble>;
  clock: Clock;
  close(): void;
};

export type HttpClientOptions = GuardOptions & {
  clock: Clock;
  resolve?: Resolve;
  /** For a sign of life: an answer that begins, a piece of a body that goes or comes. */
  patienceMs?: number;
  /** For the answer to a body that has gone out as a whole: the store may have to think about it. */
  answerMs?: number;
};

const LONGEST_WORDS = 64 * 1024;

export function openHttpClient({
  clock,
  patienceMs = 10_000,
  answerMs = 60_000,
  resolve = openNames({ clock }),
  ...guard
}: HttpClientOptions) {
  const kept = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, timeout: 15_000 };
  const [plain, secured] = [new Agent(kept), new TlsAgent(kept)];
  const lookup = guardedLookup({ ...guard, resolve });
  const client: HttpClient = {
    clock,
    async ask(wanted) {
      const checked = checkUrl(wanted.url.href, guard);
      if ("refused" in checked)
        return trouble(checked.why === "not-public" ? "not-public" : "bad-address", checked.refused);
      const isSecured = checked.url.protocol === "https:";
      // What is said in the open reaches only the operator's own network.
      if (!isSecured && !guard.privateAllowed) return trouble("not-encrypted");
      const means = { agent: isSecured ? secured : plain, lookup };
      return talk(wanted, means, { clock, patienceMs, answerMs });
    },
    close() {
      plain.destroy();
      secured.destroy();
    },
  };
  return client;
}

/** The beginning of a body as text, for codes of errors and short answers; the connection serves again. */
export async function wordsOf({ body }: StoreAnswer, most = LONGEST_WORDS): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > most) break;
      pieces.push(piece);
    }
  } catch {
    // Cut off: what has come is all there is.
  }
  return Buffer.concat(pieces).toString("utf8");
}

class Late extends Error {}

type Patience = { clock: Clock; patienceMs: number; answerMs: number };

function talk(wanted: StoreRequest, means: RequestOptions, patience: Patience): Promise<StoreAnswer | Trouble> {
  const { method, url, headers = {}, body = "", signal } = wanted;
  const { clock, patienceMs, answerMs } = patience;
  if (signal?.aborted) return Promise.resolve(trouble("stopped"));
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.size;
  const hasBody = length > 0 || method === "PUT" || method === "POST" || method === "PATCH";
  const said = { "User-Agent": "Santral", ...headers, ...(hasBody ? { "Content-Length": `${length}` } : {}) };
  const sent = (url.protocol === "https:" ? requestHttps : request)(url, { ...means, method, headers: said });
  let cancel = () => {};
  const wait = (ms: number) => {
    cancel();
    cancel = clock.after(ms, () => sent.destroy(new Late(`nothing came for ${ms / 1_000} s`)));
  };
  const stop = () => sent.destroy(new Error("stopped"));
  signal?.addEventListener("abort", stop);
  const settled = () => {
    cancel();
    signal?.removeEventListener("abort", stop);
  };
  wait(patienceMs);
  const answered = new Promise<StoreAnswer | Trouble>((resolve) => {
    sent.once("response", (response) => {
      settled();
      const body = Readable.from(patiently(response, { clock, patienceMs, signal }), { objectMode: false });
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    sent.on("error", (error) => {
      settled();
      resolve(signal?.aborted ? trouble("stopped") : troubleOfError(error));
    });
  });
  if (typeof body === "string") sent.end(body);
  else void send(body, { to: sent, wait: () => wait(patienceMs), sent: () => wait(answerMs) });
  return answered;
}

type Sending = { to: ReturnType<typeof request>; wait(): void; sent(): void };

async function send(body: { open(): Readable }, { to, wait, sent }: Sending): Promise<void> {
  const watched = new Transform({
    transform(piece, _encoding, done) {
      wait();
      done(null, piece);
    },
    flush(done) {
      sent();
      done();
    },
  });
  // What is wrong with our own file ends the request, and what is wrong with the request its own listener hears.
  await pipeline(body.open(), watched, to).catch((error: Error) => to.destroy(error));
}

/** Time counts only while we wait for the store: whoever reads slowly is somebody else's business. */
async function* patiently(
  response: IncomingMessage,
  { clock, patienceMs, signal }: { clock: Clock; patienceMs: number; signal: AbortSignal | undefined },
): AsyncGenerator<Buffer> {
  const pieces = response[Symbol.asyncIterator]();
  const stop = () => response.destroy(new Error("stopped"));
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      const cancel = clock.after(patienceMs, () => response.destroy(new Late("the answer stopped in the middle")));
      const { done, value } = await pieces.next().finally(cancel);
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    if (!response.complete) response.destroy();
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME_MISMATCH/;

function troubleOfError(error: Error): Trouble {
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof Late) return trouble("late");
  if (error instanceof NotPublic) return trouble("not-public", error.message);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return trouble("no-address", code);
  return trouble(CERTIFICATE.test(code) ? "certificate" : "unreachable", code);
}
