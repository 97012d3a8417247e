// Long answers of WebDAV servers, read in slices: the library reads XML in one go, and a book of fifty thousand would keep
// everything else waiting for seconds.

import { type DAVRequest, type DAVResponse, davRequest } from "tsdav";
import { SourceFailed, type SourceFailureKind } from "./failure.ts";
import { asFetch, type Web } from "./guarded-fetch.ts";
import { turn } from "./reading.ts";
import { tidyText } from "./tidy-text.ts";

const RESPONSES_A_SLICE = 500;

export type DavAnswer = {
  status: number;
  /** What to ask with next time (RFC 6578), where the server says it. */
  syncToken: string;
  responses: AsyncGenerator<DAVResponse[]>;
};

const failures: Record<number, SourceFailureKind> = { 403: "login-refused", 404: "not-there", 410: "not-there" };

export function davFailure(status: number): SourceFailed {
  return new SourceFailed(failures[status] ?? "bad-answer", String(status));
}

/** `init` as the library takes it; it writes the request and reads the slices. */
export async function askDav(web: Web, url: string, init: DAVRequest): Promise<DavAnswer> {
  let text = "";
  let type = "";
  let status = 0;
  const fetchAndKeep: typeof fetch = async (input, options) => {
    const response = await asFetch(web)(input, options);
    [text, type, status] = [await response.text(), response.headers.get("content-type") ?? "", response.status];
    return new Response(null, { status: response.status === 207 ? 200 : response.status });
  };
  await davRequest({ url, init, fetch: fetchAndKeep });
  const slices = status === 207 && type.toLowerCase().includes("xml") ? slicesOf(text) : undefined;
  return {
    status,
    syncToken: slices ? tokenIn(text.slice(-10_000)) : "",
    responses: slices ? readSlices(url, slices) : noResponses(),
  };
}

async function* readSlices(url: string, slices: Iterable<string>): AsyncGenerator<DAVResponse[]> {
  for (const slice of slices) {
    const answer = async () => new Response(slice, { status: 207, headers: { "content-type": "text/xml" } });
    const responses = await davRequest({ url, init: { method: "PROPFIND", headers: {}, body: null }, fetch: answer });
    if (responses.some(({ raw }) => typeof raw === "string")) throw new SourceFailed("bad-answer", "XML");
    yield responses.filter(({ href }) => href !== undefined);
    await turn();
  }
}

async function* noResponses(): AsyncGenerator<DAVResponse[]> {}

/** Each a whole document of its own, under the heading and the namespaces of the long one. */
function* slicesOf(text: string): Generator<string> {
  const root = /<(?:[\w.-]+:)?multistatus\b[^<>]*>/i.exec(text.slice(0, 10_000));
  const name = /^<([\w.:-]+)/.exec(root?.[0] ?? "")?.[1];
  const end = name === undefined ? -1 : text.lastIndexOf(`</${name}`);
  // A book without anything in it may close its only element at once.
  if (root?.[0].endsWith("/>")) return;
  if (!root || end < 0) throw new SourceFailed("cut-off", String(text.length));
  const prefix = /^([\w.-]+:)?/.exec(name ?? "")?.[0] ?? "";
  const heading = text.slice(0, root.index + root[0].length);
  const ends = new RegExp(`</(?:${prefix.replace(".", "\\.")}|[\\w.-]+:)?response\\s*>`, "gi");
  ends.lastIndex = heading.length;
  for (let from = heading.length; from < end; ) {
    let to = end;
    for (let count = 0; count < RESPONSES_A_SLICE; count++) {
      const found = ends.exec(text);
      to = found && found.index < end ? ends.lastIndex : end;
      if (to === end) break;
    }
    yield `${heading}${text.slice(from, to)}</${name}>`;
    from = to;
  }
}

/** Taken from the text: the library makes a number of one that looks like it. */
function tokenIn(ending: string): string {
  const token = /<(?:[\w.-]+:)?sync-token[^<>]*>([^<]*)</.exec(ending)?.[1] ?? "";
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return tidyText(token).replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** What is under this name, as text: the library may have made a number of it, or kept it apart as CDATA. */
export function davText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  const inside = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return typeof inside._cdata === "string" ? inside._cdata : typeof inside._text === "string" ? inside._text : "";
}
