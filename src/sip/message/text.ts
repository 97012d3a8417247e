// Readable text and the octets of the wire: SIP speaks UTF-8 (RFC 3261 25), old gateways speak latin1.

import type { Octets } from "./message.ts";

// Applied in pieces, since a call takes only so many arguments.
const PIECE = 8192;

export function octetsOf(text: string): Octets {
  if (isAscii(text)) return text;
  const bytes = new TextEncoder().encode(text);
  let octets = "";
  for (let at = 0; at < bytes.length; at += PIECE) octets += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return octets;
}

/** What was meant: UTF-8 where the octets are that, else each octet is the character of its number. */
export function textOf(octets: Octets): string {
  if (isAscii(octets)) return octets;
  const bytes = Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return octets;
  }
}

const CONTROL = /[\0-\x1f\x7f]/;
const CONTROLS = /[\0-\x1f\x7f]/g;

/** A name or a number: control characters, which may stand in one behind a backslash or a percent sign, are no part of it. */
export function lineOf(octets: Octets): string {
  const text = textOf(octets);
  return CONTROL.test(text) ? text.replace(CONTROLS, "") : text;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
