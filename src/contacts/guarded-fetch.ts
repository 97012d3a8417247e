// What a source is asked over: every address is checked, those of redirections too, nothing is longer or takes longer
// than it may, and the login is told to nobody but the server it is for.

import type { Requester, WebRequest } from "../webhooks/requester.ts";
import { RunOver, SourceFailed } from "./failure.ts";

export type Web = {
  requester: Requester;
  /** The server that the login is for. */
  home: string;
  username: string | null;
  password: string | null;
  /** Of one answer. */
  mostBytes: number;
  limitMs: number;
  signal: AbortSignal;
};

const MEBIBYTE = 1024 * 1024;

/** The limits that hold for every source. */
export function webFor(
  requester: Requester,
  { url, username, password }: { url: string; username: string | null; password: string | null },
  signal: AbortSignal,
): Web {
  return { requester, home: url, username, password, mostBytes: 64 * MEBIBYTE, limitMs: 120_000, signal };
}

type Asking = { url: string; method: string; headers: Record<string, string>; body: string };

export type Fetched = { status: number; headers: Headers; bytes: Buffer };

const MOST_REDIRECTIONS = 5;
const REDIRECTIONS = [301, 302, 303, 307, 308];

/** Throws `SourceFailed` for what did not come; what came may still be a refusal. */
export async function fetchGuarded(web: Web, asking: Asking): Promise<Fetched> {
  let { url, method, body } = asking;
  for (let redirections = 0; redirections <= MOST_REDIRECTIONS; redirections++) {
    const fetched = await fetchOnce(web, { url, method, body, headers: asking.headers });
    const location = REDIRECTIONS.includes(fetched.status) ? fetched.headers.get("location") : null;
    if (location === null) return fetched;
    if (!URL.canParse(location, url)) throw new SourceFailed("bad-answer", `${fetched.status}`);
    url = new URL(location, url).href;
    // As browsers do it: "see other" is asked for by GET.
    if (fetched.status === 303) [method, body] = ["GET", ""];
  }
  throw new SourceFailed("redirected-too-often", url);
}

async function fetchOnce(web: Web, { url, method, body, headers }: Asking): Promise<Fetched> {
  const { requester, mostBytes, limitMs, signal } = web;
  if (signal.aborted) throw new RunOver();
  const answer = await requester.ask(url, {
    method: method as WebRequest["method"], // what address books and files are read with
    headers: mayKnowLogin(web.home, url) ? { ...headers, ...loginHeader(web) } : headers,
    body,
    wantBytes: mostBytes,
    asFile: true,
    limitMs,
    signal,
  });
  if (signal.aborted) throw new RunOver();
  if ("failed" in answer)
    throw new SourceFailed(answer.why, answer.why === "too-long" ? String(mostBytes) : answer.failed);
  if (answer.status === 401) throw new SourceFailed("login-refused", "401");
  const told = new Headers();
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    for (const one of [value ?? []].flat()) told.append(name, one);
  return { status: answer.status, headers: told, bytes: answer.bytes ?? Buffer.alloc(0) };
}

/** Where an address leads to; undefined when it leads nowhere, or nobody is there. */
export async function whereTo(web: Web, url: string, method: string): Promise<URL | undefined> {
  try {
    const { status, headers } = await fetchOnce(web, { url, method, headers: {}, body: "" });
    const location = REDIRECTIONS.includes(status) ? headers.get("location") : null;
    return location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
  } catch (error) {
    if (error instanceof SourceFailed) return undefined;
    throw error;
  }
}

/** A name and a password, or a token alone. */
function loginHeader({ username, password }: Web): Record<string, string> {
  if (username) return { Authorization: `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}` };
  return password ? { Authorization: `Bearer ${password}` } : {};
}

/** The server itself, by TLS also under another port or a name below its own; at Apple a book is kept beside the door. */
function mayKnowLogin(home: string, url: string): boolean {
  if (!URL.canParse(home) || !URL.canParse(url)) return false;
  const [ours, theirs] = [new URL(home), new URL(url)];
  if (ours.origin === theirs.origin) return true;
  if (theirs.protocol !== "https:") return false;
  const isApple = [ours, theirs].every(({ hostname }) => hostname.endsWith(".icloud.com"));
  return isApple || theirs.hostname === ours.hostname || theirs.hostname.endsWith(`.${ours.hostname}`);
}
