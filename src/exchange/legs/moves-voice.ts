// Whether an offer would have the voice of a call go elsewhere, or in clear, than it does now.

import { asWritten, canonical, isUnspecified } from "../../addresses.ts";
import type { Agreed } from "../../sdp/agreed.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { addressOf, hasAttribute, type MediaLine, type SessionDescription } from "../../sdp/session.ts";

/** What a call of ours carries: voice, and faxes as data. */
const CARRIED = new Set(["audio", "image"]);

export function movesVoice(offer: string, now: Agreed | undefined): boolean {
  const parsed = parseSdp(offer);
  if (parsed.is === "malformed") return true;
  const { description } = parsed;
  const lines = description.media.filter(({ kind, port }) => CARRIED.has(kind) && port !== 0);
  return lines.some((line) => isElsewhere(description, line, now) || givesUpKeys(description, line, now));
}

/** An address of nobody is a hold. */
function isElsewhere(description: SessionDescription, line: MediaLine, now: Agreed | undefined): boolean {
  // Ways that it finds by itself, wherever the line says that it is.
  if (says(description, line, "ice-ufrag")) return true;
  const address = addressOf(description, line);
  const literal = canonical(address);
  if (literal !== undefined && isUnspecified(literal)) return false;
  return line.port !== now?.remote.port || asWritten(address) !== asWritten(now.remote.address);
}

function givesUpKeys(description: SessionDescription, line: MediaLine, now: Agreed | undefined): boolean {
  const isKeyed = now?.srtp !== undefined || now?.dtls !== undefined;
  return isKeyed && !says(description, line, "crypto") && !says(description, line, "fingerprint");
}

const says = (description: SessionDescription, line: MediaLine, name: string): boolean =>
  hasAttribute(line, name) || hasAttribute(description, name);
