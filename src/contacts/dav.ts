// Questions to WebDAV servers: what comes back is made sense of in a thread of its own.

import { type DAVRequest, davRequest } from "tsdav";
import { apart, type Readers, type Reading, ReadingFailed } from "../readers/task.ts";
import { type DavEntry, readDavAnswer } from "./dav-answer.ts";
import { SourceFailed, type SourceFailureKind } from "./failure.ts";
import { fetchGuarded, type Web } from "./guarded-fetch.ts";

/** Over what it is asked, and where answers are read. */
export type Dav = { web: Web; readers: Readers; how: Omit<Reading, "transfer"> };

/** `syncToken`: what to ask with next time (RFC 6578), where the server says it. */
export type DavAnswer = { status: number; syncToken: string };

const failures: Record<number, SourceFailureKind> = { 403: "login-refused", 404: "not-there", 410: "not-there" };

export function davFailure(status: number): SourceFailed {
  return new SourceFailed(failures[status] ?? "bad-answer", String(status));
}

/** `init` as the library takes it, which writes it down; `hear` is told one thing after the other, and may throw. */
export async function askDav(
  { web, readers, how }: Dav,
  { url, init }: { url: string; init: DAVRequest },
  hear: (entry: DavEntry) => void,
): Promise<DavAnswer> {
  const { method = "PROPFIND" } = init;
  const { status, headers, bytes } = await fetchGuarded(web, { url, method, ...(await written(init)) });
  const told = { status, syncToken: "" };
  if (status !== 207 || !headers.get("content-type")?.toLowerCase().includes("xml")) return told;
  const given = apart(bytes);
  try {
    for await (const piece of readers.read(readDavAnswer, { bytes: given }, { ...how, transfer: [given.buffer] })) {
      if ("failed" in piece) throw new SourceFailed(piece.failed.kind, piece.failed.about);
      if ("syncToken" in piece) told.syncToken = piece.syncToken;
      else for (const entry of piece.entries) hear(entry);
    }
  } catch (error) {
    throw error instanceof ReadingFailed && error.why === "too-much" ? new SourceFailed("too-long") : error;
  }
  return told;
}

async function written(init: DAVRequest): Promise<{ headers: Record<string, string>; body: string }> {
  let wanted = { headers: {}, body: "" };
  const keep = async (_url: unknown, { headers, body }: RequestInit = {}) => {
    wanted = { headers: Object.fromEntries(new Headers(headers).entries()), body: String(body ?? "") };
    return new Response(null);
  };
  await davRequest({ url: "", init, fetch: keep as typeof fetch }); // of its forms, the one that is called with a URL
  return wanted;
}
