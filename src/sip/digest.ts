// The server's side of digest authentication: challenges, and answers that are judged in the same time right or wrong.

import { ALGORITHMS, algorithmOf, type DigestAlgorithm, digestResponse, type Ha1, type Hash } from "./digest-answer.ts";
import { type AuthFields, printAuth } from "./headers/auth.ts";
import type { Hmac } from "./nonce.ts";
import { NONCE_LIMITS, type NonceLimits, openNonces } from "./nonce.ts";

export type DigestOptions = {
  hash: Hash;
  hmac: Hmac;
  /** Whole milliseconds since somewhen, which never go back. */
  now(): number;
  limits?: NonceLimits;
};

/**
 * `stale`: the nonce is used up, or none that we gave to that source, and then nothing is said of the secret; a new
 * challenge with stale=true spares asking the user (RFC 7616 section 3.3). `isAnswer`: it answers a nonce that we gave to that
 * source, so that whoever sent it has heard us. A stale one that does had the right secret, and a wrong one that does not
 * says nothing of the phone in whose name it came.
 */
export type Verdict = { verdict: "right" | "stale" | "wrong"; isAnswer: boolean };

export type Attempt = {
  /** Where the request came from, without the port: nonces are good for the source they were issued to. */
  source: string;
  realm: string;
  method: string;
  credentials: AuthFields;
  /** What is stored for the user; undefined when there is no such user, which takes as long to refuse. */
  ha1: Ha1 | undefined;
};

/** `algorithms`: those to be offered, by default all. */
export type Ask = { source: string; realm: string; stale?: boolean; algorithms?: readonly DigestAlgorithm[] };

export type DigestGuard = {
  /** The values of WWW-Authenticate or Proxy-Authenticate, strongest first (RFC 8760 2.3). */
  challenges(ask: Ask): string[];
  verify(attempt: Attempt): Verdict;
  /** Whether we have sent it there, and it is young enough: whoever has it is there, or sees what goes there. */
  isOurs(source: string, nonce: string): boolean;
  /** Nonces held in memory, for metrics. */
  remembered(): number;
};

export function openDigest({ hash, hmac, now, limits = NONCE_LIMITS }: DigestOptions): DigestGuard {
  const nonces = openNonces(hmac, limits);
  // Stands in for users that do not exist and for secrets not stored in the algorithm answered with.
  const nobody: Required<Ha1> = { MD5: hmac("nobody MD5"), "SHA-256": hmac("nobody SHA-256") };

  const isOurs = (source: string, nonce: string) => nonces.isOurs(source, nonce, now());
  return { challenges, verify, isOurs, remembered: nonces.remembered };

  function challenges({ source, realm, stale = false, algorithms = ALGORITHMS }: Ask): string[] {
    const nonce = nonces.issue(source, now());
    return algorithms.map((algorithm) => {
      const fields = { realm, nonce, algorithm, qop: "auth" };
      return printAuth(stale ? { ...fields, stale: "true" } : fields, "challenge");
    });
  }

  // The uri of the answer need not be the Request-URI, which proxies rewrite; that an answer is good once is enough.
  function verify({ source, realm, method, credentials, ha1 }: Attempt): Verdict {
    const claim = claimIn(credentials);
    if (claim === undefined || credentials.parameters.get("realm") !== realm)
      return { verdict: "wrong", isAnswer: false };
    const { algorithm, nonce, uri, auth } = claim;
    const nowMs = now();
    if (!nonces.isOurs(source, nonce, nowMs)) return { verdict: "stale", isAnswer: false };
    const stored = ha1?.[algorithm];
    const facts = { algorithm, ha1: stored ?? nobody[algorithm], method, uri, nonce, ...(auth && { auth }) };
    const same = isSameSecret(digestResponse(hash, facts), claim.response);
    if (!same || stored === undefined) return { verdict: "wrong", isAnswer: true };
    const fresh = nonces.use(source, nonce, { count: claim.count, nowMs });
    return { verdict: fresh ? "right" : "stale", isAnswer: true };
  }
}

type Claim = {
  algorithm: DigestAlgorithm;
  nonce: string;
  uri: string;
  response: string;
  count: number;
  auth: { nc: string; cnonce: string } | undefined;
};

/** What the credentials say, when they say enough to be judged. */
function claimIn(credentials: AuthFields): Claim | undefined {
  const algorithm = algorithmOf(credentials);
  const field = (name: string) => credentials.parameters.get(name);
  const [nonce, uri, response, qop, nc, cnonce] = ["nonce", "uri", "response", "qop", "nc", "cnonce"].map(field);
  if (algorithm === undefined || !nonce || !uri || !response) return undefined;
  // Without quality of protection there is no count, so such a nonce is good once.
  if (qop === undefined) return { algorithm, nonce, uri, response, count: 1, auth: undefined };
  if (qop.toLowerCase() !== "auth" || cnonce === undefined || !nc || !isCount(nc)) return undefined;
  return { algorithm, nonce, uri, response, count: Number.parseInt(nc, 16), auth: { nc, cnonce } };
}

const isCount = (nc: string) => /^[0-9a-fA-F]{1,8}$/.test(nc) && Number.parseInt(nc, 16) > 0;

/** Takes the same time wherever the two differ. */
function isSameSecret(ours: string, given: string): boolean {
  const theirs = given.toLowerCase();
  let difference = ours.length ^ theirs.length;
  for (let at = 0; at < ours.length; at++) difference |= ours.charCodeAt(at) ^ theirs.charCodeAt(at);
  return difference === 0;
}
