// What a network has signed of a caller (RFC 8224, RFC 8225, SHAKEN): whether one of the given certificates vouches for it, now and for this call.

import { verify, X509Certificate } from "node:crypto";
import type { Clock } from "../../../clock.ts";

export type Attestation =
  /** `level`: A, the caller and his number are known; B, the caller; C, only where it came in. "" where it does not say. */
  | { is: "verified"; level: "A" | "B" | "C" | "" }
  | { is: "failed"; why: "absent" | "unreadable" | "signature" | "stale" | "numbers" };

export type Signed = {
  /** Identity headers as they came. */
  values: readonly string[];
  /** PEM, one after the other. */
  certificates: string;
  /** E.164 without a plus. */
  caller: string;
  called: string;
};

export type Attest = (signed: Signed) => Attestation;

/** A signature is worth nothing after this long (RFC 8224 4.1), and clocks differ. */
const FRESH_MS = 60_000;
const LONGEST = 8_000;
const MOST_KNOWN = 100;

export function openAttestation({ wall }: Pick<Clock, "wall">): Attest {
  const certificates = rememberingCertificates();
  return ({ values, ...signed }) => {
    let attestation: Attestation = { is: "failed", why: "absent" };
    for (const value of values) {
      const passport = readPassport(value);
      if (passport === "another kind") continue;
      const keys = passport ? certificates(signed.certificates) : [];
      attestation = passport
        ? judge(passport, { ...signed, keys, nowMs: wall() })
        : { is: "failed", why: "unreadable" };
      if (attestation.is === "verified") return attestation;
    }
    return attestation;
  };
}

type Passport = { signedPart: string; signature: Buffer; claims: Record<string, unknown> };

type Judged = Pick<Signed, "caller" | "called"> & { keys: readonly X509Certificate[]; nowMs: number };

function judge({ signedPart, signature, claims }: Passport, { keys, caller, called, nowMs }: Judged): Attestation {
  const holds = keys.some(
    ({ publicKey, validFrom, validTo }) =>
      Date.parse(validFrom) <= nowMs &&
      nowMs <= Date.parse(validTo) &&
      publicKey.asymmetricKeyType === "ec" &&
      verify("sha256", Buffer.from(signedPart), { key: publicKey, dsaEncoding: "ieee-p1363" }, signature),
  );
  if (!holds) return { is: "failed", why: "signature" };
  if (!(Math.abs(nowMs - Number(claims.iat) * 1_000) <= FRESH_MS)) return { is: "failed", why: "stale" };
  const isCaller = numbersIn(claims.orig).includes(caller);
  if (caller === "" || !isCaller || !numbersIn(claims.dest).includes(called)) return { is: "failed", why: "numbers" };
  const { attest } = claims;
  return { is: "verified", level: attest === "A" || attest === "B" || attest === "C" ? attest : "" };
}

/** The full form; one of another kind says nothing of who calls: who sent it on, how urgent it is. */
function readPassport(value: string): Passport | "another kind" | undefined {
  const [header = "", claims = "", signature = ""] = (value.split(";")[0] ?? "").trim().split(".");
  if (value.length > LONGEST || header === "" || claims === "" || signature === "") return undefined;
  const said = objectIn(header);
  const claimed = objectIn(claims);
  if (!said || !claimed || said.alg !== "ES256") return undefined;
  if (said.ppt !== undefined && said.ppt !== "shaken") return "another kind";
  return { signedPart: `${header}.${claims}`, signature: Buffer.from(signature, "base64url"), claims: claimed };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // anybody can write anything there
  }
}

/** One or several telephone numbers, without what people put between digits. */
function numbersIn(claim: unknown): string[] {
  const { tn } = Object(claim) as { tn?: unknown };
  return (Array.isArray(tn) ? tn : [tn]).flatMap((it) => (typeof it === "string" ? [it.replace(/\D/g, "")] : []));
}

/** They are read once: they change once a year. */
function rememberingCertificates(): (text: string) => X509Certificate[] {
  const known = new Map<string, X509Certificate[]>();
  return (text) => {
    const found = known.get(text) ?? blocksIn(text).flatMap(certificateIn);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, found);
    return found;
  };
}

/** What stands between the lines that begin and end one, however it was broken into lines. */
const blocksIn = (text: string) =>
  [...text.matchAll(/-----BEGIN CERTIFICATE-----([\w+/=\s]+)-----END CERTIFICATE-----/g)].map(
    ([, block = ""]) => block,
  );

function certificateIn(block: string): X509Certificate[] {
  try {
    return [new X509Certificate(Buffer.from(block, "base64"))];
  } catch {
    return []; // somebody typed it
  }
}
