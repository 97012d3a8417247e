// The arithmetic of digest authentication (RFC 3261 22.4, RFC 7616, RFC 8760), and a client's answer to a challenge.

import { type AuthFields, printAuth } from "./headers/auth.ts";
import type { Octets } from "./message/message.ts";

export type DigestAlgorithm = "MD5" | "SHA-256";

/** Lower-case hex of the hash. */
export type Hash = (algorithm: DigestAlgorithm, octets: Octets) => string;

/** The secret in the form it is stored: H(user:realm:password) for each algorithm at hand. */
export type Ha1 = Partial<Record<DigestAlgorithm, string>>;

/** From strongest to weakest: the order in which we offer, and in which we choose among a server's offers. */
export const ALGORITHMS: readonly DigestAlgorithm[] = ["SHA-256", "MD5"];

export function ha1Of(hash: Hash, account: { user: string; realm: string; password: string }): Required<Ha1> {
  const secret = `${account.user}:${account.realm}:${account.password}`;
  return { "SHA-256": hash("SHA-256", secret), MD5: hash("MD5", secret) };
}

export type DigestFacts = {
  algorithm: DigestAlgorithm;
  ha1: string;
  method: string;
  uri: string;
  nonce: string;
  /** Absent: the form of RFC 2069 that knows no quality of protection. */
  auth?: { nc: string; cnonce: string };
};

export function digestResponse(hash: Hash, { algorithm, ha1, method, uri, nonce, auth }: DigestFacts): string {
  const ha2 = hash(algorithm, `${method}:${uri}`);
  const middle = auth === undefined ? "" : `${auth.nc}:${auth.cnonce}:auth:`;
  return hash(algorithm, `${ha1}:${nonce}:${middle}${ha2}`);
}

/** The algorithm a challenge or an answer names; absent means MD5 (22.4), undefined one we do not know. */
export function algorithmOf({ scheme, parameters }: AuthFields): DigestAlgorithm | undefined {
  if (scheme !== "digest") return undefined;
  const name = (parameters.get("algorithm") ?? "MD5").toUpperCase();
  return ALGORITHMS.find((algorithm) => algorithm === name);
}

/** The strongest challenge we can answer (RFC 8760 2.4). */
export function bestChallenge(challenges: readonly (AuthFields | object)[]): AuthFields | undefined {
  const fit = challenges.filter(
    (challenge): challenge is AuthFields => "scheme" in challenge && isAnswerable(challenge),
  );
  for (const algorithm of ALGORITHMS) {
    const found = fit.find((challenge) => algorithmOf(challenge) === algorithm);
    if (found) return found;
  }
  return undefined;
}

function isAnswerable(challenge: AuthFields): boolean {
  const { parameters } = challenge;
  if (algorithmOf(challenge) === undefined || !parameters.has("nonce") || !parameters.has("realm")) return false;
  return !parameters.has("qop") || offersAuth(challenge);
}

function offersAuth({ parameters }: AuthFields): boolean {
  const offers = (parameters.get("qop") ?? "").toLowerCase().split(",");
  return offers.some((offer) => offer.trim() === "auth");
}

export type ClientAccount = { user: string } & ({ password: string } | { ha1: Ha1 });

export type ClientAnswer = {
  challenge: AuthFields;
  account: ClientAccount;
  request: { method: string; uri: string };
  /** `nc` counts the answers given to one nonce, from 1. */
  fresh: { nc: number; cnonce: string };
};

/** The value of Authorization or Proxy-Authorization; undefined when the account holds no secret of that algorithm. */
export function answerChallenge(hash: Hash, { challenge, account, request, fresh }: ClientAnswer): string | undefined {
  const algorithm = algorithmOf(challenge);
  const realm = challenge.parameters.get("realm") ?? "";
  const nonce = challenge.parameters.get("nonce") ?? "";
  const ha1 = algorithm && ("ha1" in account ? account.ha1 : ha1Of(hash, { ...account, realm }))[algorithm];
  if (algorithm === undefined || ha1 === undefined) return undefined;
  const auth = offersAuth(challenge) ? { nc: fresh.nc.toString(16).padStart(8, "0"), cnonce: fresh.cnonce } : undefined;
  const response = digestResponse(hash, { algorithm, ha1, nonce, ...request, ...(auth && { auth }) });
  const opaque = challenge.parameters.get("opaque");
  const fields: Record<string, string> = { username: account.user, realm, nonce, uri: request.uri, response };
  // Servers of the RFC 2069 age choke on an algorithm they never named.
  if (challenge.parameters.has("algorithm")) fields.algorithm = algorithm;
  if (opaque !== undefined) fields.opaque = opaque;
  if (auth) Object.assign(fields, { qop: "auth", ...auth });
  return printAuth(fields, "answer");
}
