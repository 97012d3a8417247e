import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { stopwatch } from "../clock.ts";
import { openDigest } from "./digest.ts";
import { answerChallenge, bestChallenge, digestResponse, type Hash, ha1Of } from "./digest-answer.ts";
import { type AuthFields, parseAuth } from "./headers/auth.ts";
import { isMalformed } from "./message/malformed.ts";
import type { NonceLimits } from "./nonce.ts";

const hash: Hash = (algorithm, octets) =>
  createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(octets, "latin1")
    .digest("hex");

const SOURCE = "192.0.2.14";
const REALM = "santral.example";
const USER = "1001";
const REQUEST = { method: "REGISTER", uri: `sip:${REALM}` };
const stored = ha1Of(hash, { user: USER, realm: REALM, password: "secret" });

function fields(text: string): AuthFields {
  const parsed = parseAuth(text);
  if (isMalformed(parsed)) throw new Error(parsed.malformed);
  return parsed;
}

function desk(limits?: NonceLimits) {
  const clock = testClock();
  const hmac = (octets: string) => createHmac("sha256", "key").update(octets, "latin1").digest("hex");
  const guard = openDigest({ hash, hmac, now: stopwatch(clock), ...(limits && { limits }) });
  const challenge = (source = SOURCE, at = 0) => fields(guard.challenges({ source, realm: REALM })[at]!);
  const answer = (asked: AuthFields, { password = "secret", nc = 1, method = REQUEST.method } = {}) =>
    fields(
      answerChallenge(hash, {
        challenge: asked,
        account: { user: USER, password },
        request: { ...REQUEST, method },
        fresh: { nc, cnonce: "c0ffee" },
      })!,
    );
  const judge = (credentials: AuthFields, { source = SOURCE, known = true } = {}) =>
    guard.verify({ source, realm: REALM, method: REQUEST.method, credentials, ha1: known ? stored : undefined })
      .verdict;
  return { clock, guard, challenge, answer, judge };
}

// The worked example of RFC 7616 3.9.1.
test.each([
  ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
] as const)("the RFC's own example comes out right with %s", (algorithm, response) => {
  const account = { user: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life" };
  const facts = {
    algorithm,
    ha1: ha1Of(hash, account)[algorithm],
    method: "GET",
    uri: "/dir/index.html",
    nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
    auth: { nc: "00000001", cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" },
  };
  expect(digestResponse(hash, facts)).toBe(response);
});

test("both algorithms are offered, the stronger first, and each lets the right phone in", () => {
  const { guard, judge, answer, challenge } = desk();
  const offers = guard.challenges({ source: SOURCE, realm: REALM });
  expect(offers.map((offer) => fields(offer).parameters.get("algorithm"))).toEqual(["SHA-256", "MD5"]);
  expect(offers[0]).toContain('qop="auth"');
  expect(bestChallenge(offers.map(parseAuth))?.parameters.get("algorithm")).toBe("SHA-256");
  for (const [at] of offers.entries()) expect(judge(answer(challenge(SOURCE, at)))).toBe("right");
});

test("a phone of the oldest kind, without quality of protection, is let in once a nonce", () => {
  const { challenge, answer, judge } = desk();
  const asked = challenge(SOURCE, 1);
  const old = { ...asked, parameters: new Map([...asked.parameters].filter(([name]) => name !== "qop")) };
  expect(answer(old).parameters.has("nc")).toBe(false);
  expect(judge(answer(old))).toBe("right");
  expect(judge(answer(old))).toBe("stale");
});

test("a wrong password, another method, another realm and an unknown user are all just wrong", () => {
  const { challenge, answer, judge, guard } = desk();
  expect(judge(answer(challenge(), { password: "guess" }))).toBe("wrong");
  expect(judge(answer(challenge(), { method: "INVITE" }))).toBe("wrong");
  expect(judge(answer(challenge()), { known: false })).toBe("wrong");
  const credentials = answer(challenge());
  const attempt = { source: SOURCE, realm: "other.example", method: "REGISTER", credentials, ha1: stored };
  expect(guard.verify(attempt).verdict).toBe("wrong");
  expect(guard.remembered()).toBe(0);
});

test("an unknown user costs as many hashes as a known one", () => {
  let hashes = 0;
  const counted: Hash = (algorithm, octets) => {
    hashes++;
    return hash(algorithm, octets);
  };
  const guard = openDigest({ hash: counted, hmac: (octets) => hash("SHA-256", octets), now: () => 0 });
  const asked = fields(guard.challenges({ source: SOURCE, realm: REALM })[0]!);
  const credentials = desk().answer(asked, { password: "guess" });
  const cost = (ha1: typeof stored | undefined) => {
    hashes = 0;
    guard.verify({ source: SOURCE, realm: REALM, method: "REGISTER", credentials, ha1 });
    return hashes;
  };
  expect(cost(undefined)).toBe(cost(stored));
  expect(cost(undefined)).toBeGreaterThan(0);
});

test("a nonce is good until it is old, and then asks to be replaced", () => {
  const { challenge, answer, judge, clock, guard } = desk();
  const asked = challenge();
  expect(judge(answer(asked, { nc: 1 }))).toBe("right");
  clock.pass(299_000);
  expect(judge(answer(asked, { nc: 2 }))).toBe("right");
  clock.pass(2_000);
  expect(judge(answer(asked, { nc: 3 }))).toBe("stale");
  expect(guard.challenges({ source: SOURCE, realm: REALM, stale: true })[0]).toContain("stale=true");
});

test("an answer is good once, in any order within a window, and only from where it was asked", () => {
  const { challenge, answer, judge } = desk();
  const asked = challenge();
  expect(judge(answer(asked, { nc: 5 }))).toBe("right");
  expect(judge(answer(asked, { nc: 5 }))).toBe("stale");
  expect(judge(answer(asked, { nc: 3 }))).toBe("right");
  expect(judge(answer(asked, { nc: 3 }))).toBe("stale");
  expect(judge(answer(asked, { nc: 100 }))).toBe("right");
  expect(judge(answer(asked, { nc: 68 }))).toBe("stale");
  expect(judge(answer(asked, { nc: 69 }))).toBe("right");
  expect(judge(answer(asked, { nc: 101 }), { source: "198.51.100.7" })).toBe("stale");
});

test("what answers no nonce of ours is asked anew, whatever the secret: nobody learns whether it was right", () => {
  const { judge, answer, challenge } = desk();
  const overheard = challenge("198.51.100.7");
  expect(judge(answer(overheard))).toBe("stale");
  expect(judge(answer(overheard, { password: "guess" }))).toBe("stale");
  expect(judge(answer(overheard), { known: false })).toBe("stale");
});

test("a nonce we never issued is stale, however right the secret", () => {
  const { challenge, answer, judge } = desk();
  for (const nonce of ["x", "a.b.c", "mhvt0p.1.0123456789abcdef0123456789abcdef", "9".repeat(5000)]) {
    const asked = challenge();
    const forged = { ...asked, parameters: new Map([...asked.parameters, ["nonce", nonce]]) };
    expect(judge(answer(forged))).toBe("stale");
  }
});

test("the memory of used nonces is bounded, and what it forgets is not good again", () => {
  const { challenge, answer, judge, guard, clock } = desk({ lifetimeMs: 300_000, perSource: 3, total: 5 });
  const first = challenge("10.0.0.1");
  expect(judge(answer(first), { source: "10.0.0.1" })).toBe("right");
  for (let phone = 0; phone < 20; phone++) {
    clock.pass(1);
    const source = `10.0.0.${phone % 4}`;
    expect(judge(answer(challenge(source)), { source })).toBe("right");
    expect(guard.remembered()).toBeLessThanOrEqual(5);
  }
  expect(judge(answer(first, { nc: 1 }), { source: "10.0.0.1" })).toBe("stale");
});

test.each([
  "Digest",
  'Digest username="1001"',
  "Digest nonce=x, uri=y, response=z, qop=auth-int, nc=00000001, cnonce=a",
  "Digest nonce=x, uri=y, response=z, qop=auth, nc=0, cnonce=a",
  "Digest nonce=x, uri=y, response=z, qop=auth, nc=zz, cnonce=a",
  "Digest nonce=x, uri=y, response=z, algorithm=SHA-512",
  "Basic dXNlcjpwYXNz",
])("credentials that say %j are wrong and no more", (text) => {
  const credentials = parseAuth(`${text}${text.includes("=") ? `, realm="${REALM}"` : ""}`);
  if (isMalformed(credentials)) return;
  expect(desk().judge(credentials)).toBe("wrong");
});

test("a client answers the strongest challenge it can, and none it cannot", () => {
  const offers = [
    'Digest realm="r", nonce="1", algorithm=SHA-512-256',
    'Digest realm="r", nonce="2", algorithm=MD5, qop="auth"',
    'Digest realm="r", nonce="3", algorithm=SHA-256, qop="auth-int, auth"',
    'Basic realm="r"',
  ].map(parseAuth);
  expect(bestChallenge(offers)?.parameters.get("nonce")).toBe("3");
  expect(bestChallenge([parseAuth('Digest realm="r", nonce="4", qop="auth-int"')])).toBeUndefined();
  expect(bestChallenge([])).toBeUndefined();
});

test("a client answers with the stored form of its secret too, and brings the opaque back", () => {
  const challenge = fields(`Digest realm="${REALM}", nonce="n", algorithm=SHA-256, qop="auth", opaque="o\\"p"`);
  const asked = { challenge, request: REQUEST, fresh: { nc: 11, cnonce: "c" } };
  const one = answerChallenge(hash, { ...asked, account: { user: USER, password: "secret" } });
  const other = answerChallenge(hash, { ...asked, account: { user: USER, ha1: { "SHA-256": stored["SHA-256"] } } });
  expect(one).toBe(other);
  expect(one).toContain("nc=0000000b");
  expect(one).toContain('opaque="o\\"p"');
  expect(answerChallenge(hash, { ...asked, account: { user: USER, ha1: { MD5: stored.MD5 } } })).toBeUndefined();
});
