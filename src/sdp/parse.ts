// Text to session description: forgiving about form, strict about size.

import type { Attribute, MediaLine, SessionDescription } from "./session.ts";

export type Parsed = { is: "description"; description: SessionDescription } | { is: "malformed"; why: string };

const LONGEST_TEXT = 65_536;
const LONGEST_LINE = 4_096;
const MOST_LINES = 1_000;
const MOST_MEDIA = 32;
const MOST_FORMATS = 64;

export function parseSdp(text: string): Parsed {
  if (text.length > LONGEST_TEXT) return malformed("too long");
  const lines = text.split("\n");
  if (lines.length > MOST_LINES) return malformed("too many lines");
  const description: SessionDescription = {
    origin: { username: "-", id: "0", version: "0", address: "0.0.0.0" },
    name: "-",
    attributes: [],
    media: [],
  };
  let sawVersion = false;
  for (const raw of lines) {
    if (raw.length > LONGEST_LINE) return malformed("line too long");
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line === "") continue;
    if (line.includes("\r")) return malformed("a carriage return inside a line");
    if (line[1] !== "=") return malformed(`not a line of SDP: ${line.slice(0, 20)}`);
    if (line.startsWith("v=")) sawVersion = true;
    const wrong = readLine[line[0] ?? ""]?.(line.slice(2).trim(), description);
    if (wrong) return malformed(wrong);
  }
  return sawVersion ? { is: "description", description } : malformed("no v= line");
}

type ReadLine = (value: string, into: SessionDescription) => string | undefined;

// Lines of other types (i= u= e= p= b= t= r= z= k=) carry nothing an exchange acts on.
const readLine: Record<string, ReadLine> = {
  v: (value) => (value === "0" ? undefined : "unknown version"),
  o: readOrigin,
  s(value, into) {
    into.name = value;
    return undefined;
  },
  c: readConnection,
  m: readMedia,
  a: readAttribute,
};

function readOrigin(value: string, into: SessionDescription): string | undefined {
  const [username = "-", id = "0", version = "0", , , address = "0.0.0.0"] = value.split(" ");
  into.origin = { username, id, version, address };
  return undefined;
}

function readConnection(value: string, into: SessionDescription): string | undefined {
  const [, , address = ""] = value.split(" ");
  const host = address.split("/", 1)[0] ?? "";
  if (host === "") return "c= without an address";
  const place = into.media.at(-1) ?? into;
  place.connection ??= host;
  return undefined;
}

function readMedia(value: string, into: SessionDescription): string | undefined {
  if (into.media.length >= MOST_MEDIA) return "too many media lines";
  const [kind = "", ports = "", protocol = "", ...formats] = value.split(/ +/, MOST_FORMATS + 3);
  const port = Number(/^(\d{1,5})(\/\d+)?$/.exec(ports)?.[1] ?? Number.NaN);
  if (!(port <= 65_535) || protocol === "") return "unreadable m= line";
  const line: MediaLine = { kind: kind.toLowerCase(), port, protocol, formats, attributes: [] };
  into.media.push(line);
  return undefined;
}

function readAttribute(value: string, into: SessionDescription): undefined {
  const place = into.media.at(-1) ?? into;
  const colon = value.indexOf(":");
  const attribute: Attribute =
    colon < 0 ? { name: value } : { name: value.slice(0, colon), value: value.slice(colon + 1).trim() };
  place.attributes.push(attribute);
}

function malformed(why: string): Parsed {
  return { is: "malformed", why };
}
