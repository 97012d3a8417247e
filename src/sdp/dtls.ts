// What a description says of DTLS (RFC 5763, RFC 8122): by what a certificate is known, and which side begins.

import { type Attribute, attribute, attributes, type MediaLine, type SessionDescription } from "./session.ts";

/** The hash's name as OpenSSL and the RFC write it, its value in lower-case hexadecimal without colons. */
export type Fingerprint = { hash: "sha-1" | "sha-224" | "sha-256" | "sha-384" | "sha-512"; value: string };

export type Setup = "active" | "passive" | "actpass";

const octets: Record<Fingerprint["hash"], number> = {
  "sha-1": 20,
  "sha-224": 28,
  "sha-256": 32,
  "sha-384": 48,
  "sha-512": 64,
};

const MOST_FINGERPRINTS = 8;

/** The line's own, else the session's. */
export function readFingerprints(session: SessionDescription, line: MediaLine): Fingerprint[] {
  const own = attributes(line, "fingerprint");
  return (own.length > 0 ? own : attributes(session, "fingerprint"))
    .slice(0, MOST_FINGERPRINTS)
    .flatMap(readFingerprint);
}

/** An offer that does not say is answered as one that leaves it open. */
export function readSetup(session: SessionDescription, line: MediaLine): Setup {
  const said = attribute(line, "setup") ?? attribute(session, "setup");
  return said === "active" || said === "passive" ? said : "actpass";
}

export function fingerprintAttribute({ hash, value }: Fingerprint): Attribute {
  return { name: "fingerprint", value: `${hash} ${(value.match(/../g) ?? []).join(":").toUpperCase()}` };
}

function readFingerprint(text: string): Fingerprint[] {
  const [name = "", written = ""] = text.trim().split(/ +/);
  const hash = name.toLowerCase() as Fingerprint["hash"]; // looked up at once
  const value = written.replaceAll(":", "").toLowerCase();
  return Object.hasOwn(octets, hash) && value.length === octets[hash] * 2 && /^[0-9a-f]+$/.test(value)
    ? [{ hash, value }]
    : [];
}
