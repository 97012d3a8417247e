// Multipart forms (RFC 7578) that have arrived whole: fields become text, parts with a file name become files.

import { add, INVALID_UTF8, MOST_PARAMETERS, type Sent, SentFile, TOO_MANY, type Unreadable } from "./sent.ts";
import { utf8 } from "./text.ts";

const BROKEN: Unreadable = { unreadable: "multipart" };
const LONGEST_PART_HEADER = 4_096;

export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}

export function readMultipart(body: Buffer, boundary: string): Sent | Unreadable {
  const sent: Sent = new Map();
  const line = Buffer.from(`--${boundary}`);
  let at = body.indexOf(line);
  for (let count = 0; at >= 0; count++) {
    if (count > MOST_PARAMETERS) return TOO_MANY;
    const start = at + line.length;
    if (body.subarray(start, start + 2).toString("latin1") === "--") return sent;
    const next = body.indexOf(Buffer.concat([Buffer.from("\r\n"), line]), start);
    if (next < 0) return BROKEN;
    const problem = addPart(sent, body.subarray(start + 2, next));
    if (problem) return problem;
    at = next + 2;
  }
  return BROKEN;
}

function addPart(sent: Sent, part: Buffer): Unreadable | undefined {
  const blank = part.indexOf("\r\n\r\n");
  if (blank < 0 || blank > LONGEST_PART_HEADER) return BROKEN;
  const header = utf8(part.subarray(0, blank));
  if (header === undefined) return INVALID_UTF8;
  const name = attribute(header, "name");
  if (name === undefined) return BROKEN;
  const fileName = attribute(header, "filename");
  const content = part.subarray(blank + 4);
  if (fileName !== undefined) {
    add(sent, name, new SentFile(fileName, content));
    return undefined;
  }
  const value = utf8(content);
  if (value === undefined) return INVALID_UTF8;
  add(sent, name, value);
  return undefined;
}

function attribute(header: string, name: string): string | undefined {
  const line = /^content-disposition:(.*)$/im.exec(header)?.[1] ?? "";
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, "i").exec(line) ?? [];
  return quoted ?? bare;
}
