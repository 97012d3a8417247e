// One careful HTTP request to a customer's server: guarded, never redirected, bounded in time and size.

import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import type { Clock } from "../clock.ts";
import { openNames, type Resolve } from "../names.ts";
import { checkUrl, type GuardOptions, guardedLookup, NotPublic } from "./guard.ts";

export type WebRequest = {
  /** Beyond the usual two those by which address books are read (RFC 4918, RFC 3253). */
  method: "GET" | "POST" | "PROPFIND" | "REPORT";
  headers?: Record<string, string>;
  body?: string;
  /** In its place, where it is no text. */
  bytes?: Uint8Array;
  /** The answer's body is read up to this many bytes; by default it is thrown away. */
  wantBytes?: number;
  /** The body is wanted as it came, it is no text; and so are the headers. */
  asFile?: boolean;
  limitMs?: number;
  signal?: AbortSignal;
};

export type WebAnswer =
  /** `bytes`, `headers`: the body as it came, when it was asked for as a file, and what came with it. */
  { status: number; body: string; bytes?: Buffer; headers?: IncomingHttpHeaders } | WebFailure;

/** `failed` is for logs; `why` for whoever acts on it. */
export type WebFailure = { failed: string; why: "bad-url" | "not-public" | "late" | "too-long" | "unreachable" };

export type Requester = {
  ask(url: string, request: WebRequest): Promise<WebAnswer>;
  close(): void;
};

export type RequesterOptions = GuardOptions & { clock: Clock; resolve?: Resolve; certificateAuthority?: string };

const LIMIT_MS = 10_000;
/** An answer nobody reads may be this long before its connection is cut instead of kept for the next request. */
const DISCARDED_BYTES = 64 * 1024;
const DISCARDED_MS = 5_000;
const IDLE_CONNECTION_MS = 15_000;

export function openRequester({
  clock,
  resolve = openNames({ clock }),
  certificateAuthority,
  ...guard
}: RequesterOptions): Requester {
  const kept = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, timeout: IDLE_CONNECTION_MS };
  const lookup = guardedLookup({ ...guard, resolve });
  const plain = new Agent(kept);
  const secured = new TlsAgent({ ...kept, ...(certificateAuthority ? { ca: certificateAuthority } : {}) });
  return {
    async ask(text, wanted) {
      const checked = checkUrl(text, guard);
      if ("refused" in checked) return { failed: checked.refused, why: checked.why };
      const agent = checked.url.protocol === "https:" ? secured : plain;
      return exchangeMessages(checked.url, wanted, { agent, lookup, clock });
    },
    close() {
      plain.destroy();
      secured.destroy();
    },
  };
}

type Means = Pick<RequestOptions, "agent" | "lookup"> & { clock: Clock };

function exchangeMessages(url: URL, wanted: WebRequest, { agent, lookup, clock }: Means): Promise<WebAnswer> {
  const {
    method,
    headers = {},
    body = "",
    bytes = Buffer.from(body),
    wantBytes = 0,
    asFile = false,
    limitMs = LIMIT_MS,
    signal,
  } = wanted;
  return new Promise((settle) => {
    let why: WebFailure["why"] = "unreachable";
    const length = method !== "GET" ? { "Content-Length": `${bytes.length}` } : {};
    const options = {
      method,
      headers: { Accept: "*/*", "User-Agent": "Santral", ...headers, ...length },
      agent,
      lookup,
    };
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, options as RequestOptions);
    const finish = (answer: WebAnswer) => {
      cancel();
      signal?.removeEventListener("abort", stop);
      settle(answer);
    };
    const stop = () => request.destroy(new Error("stopped"));
    const cancel = clock.after(limitMs, () => {
      why = "late";
      request.destroy(new Error(`no answer within ${limitMs / 1_000} s`));
    });
    signal?.addEventListener("abort", stop);
    request.once("response", (response) => {
      if (wantBytes > 0) return void readAnswer(response, { wantBytes, asFile }).then(finish);
      discard(response, clock);
      finish({ status: response.statusCode ?? 0, body: "" });
    });
    request.on("error", (error) => {
      if (error instanceof NotPublic) why = "not-public";
      finish({ failed: error.message || String(error), why });
    });
    request.end(bytes);
    if (signal?.aborted) stop();
  });
}

async function readAnswer(
  response: IncomingMessage,
  { wantBytes, asFile }: { wantBytes: number; asFile: boolean },
): Promise<WebAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > wantBytes) return { failed: `the answer is longer than ${wantBytes} bytes`, why: "too-long" };
      chunks.push(chunk);
    }
  } catch (error) {
    return { failed: String(error), why: "unreachable" };
  }
  const bytes = Buffer.concat(chunks);
  const status = response.statusCode ?? 0;
  return asFile ? { status, body: "", bytes, headers: response.headers } : { status, body: bytes.toString("utf8") };
}

/** The status said everything. The rest is read only so that the connection can serve again, within reason. */
function discard(response: IncomingMessage, clock: Clock): void {
  let size = 0;
  const cancel = clock.after(DISCARDED_MS, () => response.destroy());
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > DISCARDED_BYTES) response.destroy();
  });
  response.on("error", () => undefined); // "close" follows
  response.once("close", cancel);
}
