// The beginning of a long body: what it says by then of who sends it, without the rest and in one look.

import { readForm } from "./form.ts";
import { boundaryOf, readMultipart } from "./multipart.ts";
import { isUnreadable, type Sent } from "./sent.ts";

/** As far as its parameters are whole by then; of JSON the strings of the outermost object, since nobody is a number. */
export function sentInHead(head: Buffer, contentType: string): Sent {
  const boundary = /^\s*multipart\/form-data/i.test(contentType) ? boundaryOf(contentType) : undefined;
  if (boundary !== undefined) return readable(wholeParts(head, boundary));
  const text = head
    .toString("utf8")
    .trimStart()
    .replace(/^\uFEFF/, "");
  if (/^[{[]/.test(text)) return outermostStrings(text);
  return readable(readForm(text.slice(0, Math.max(0, text.lastIndexOf("&")))));
}

const readable = (read: ReturnType<typeof readForm>): Sent => (isUnreadable(read) ? new Map() : read);

function wholeParts(head: Buffer, boundary: string): ReturnType<typeof readForm> {
  const line = `\r\n--${boundary}`;
  const last = head.lastIndexOf(line);
  return readMultipart(Buffer.concat([head.subarray(0, Math.max(0, last)), Buffer.from(`${line}--`)]), boundary);
}

/** A string that is not closed goes on behind the head. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[[\]{}:,]/g;

function outermostStrings(text: string): Sent {
  const sent: Sent = new Map();
  let depth = 0;
  let name: string | undefined;
  let isValue = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth !== 1) continue;
    else if (token === ":") isValue = true;
    else if (token === ",") [name, isValue] = [undefined, false];
    else if (!isValue) name = stringIn(token);
    else if (name !== undefined) {
      const value = stringIn(token);
      if (value !== undefined) sent.set(name, [value]);
    }
  }
  return sent;
}

const LONGEST = 1_000;

function stringIn(token: string): string | undefined {
  if (token.length > LONGEST) return undefined;
  try {
    return JSON.parse(token) as string; // it stands in quotation marks
  } catch {
    return undefined;
  }
}
