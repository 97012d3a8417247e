import { expect, test } from "vitest";
import { selfSigned } from "../../../../test/ground/certificate.ts";
import { type Claims, identityHeader } from "../../../../test/ground/passport.ts";
import { asWall } from "../../../clock.ts";
import { type Attestation, openAttestation } from "./attestation.ts";

const carrier = selfSigned("carrier.example");
const stranger = selfSigned("stranger.example");
const nowMs = Date.now();
const nowSeconds = Math.floor(nowMs / 1_000);

const usual: Claims = { orig: "905321234567", dest: ["908505320000"], iat: nowSeconds };

function judged(values: string[], more: { certificates?: string; nowMs?: number } = {}): Attestation {
  const attest = openAttestation({ wall: () => asWall(more.nowMs ?? nowMs) });
  const certificates = more.certificates ?? `${stranger.cert}\n${carrier.cert}`;
  return attest({ values, certificates, caller: "905321234567", called: "908505320000" });
}

test("what one of the certificates signed for this call holds, with how sure the carrier is", () => {
  expect(judged([identityHeader(carrier.key, usual)])).toEqual({ is: "verified", level: "A" });
  expect(judged([identityHeader(carrier.key, { ...usual, attest: "C" })])).toEqual({ is: "verified", level: "C" });
  expect(judged([identityHeader(carrier.key, { ...usual, attest: "Z" })])).toEqual({ is: "verified", level: "" });
  const written = { ...usual, orig: "+90 532 123 45 67", dest: ["1", "+908505320000"] };
  expect(judged([identityHeader(carrier.key, written)])).toMatchObject({ is: "verified" });
});

test.each([
  ["nobody signed", "absent", []],
  ["one of another kind", "absent", [identityHeader(carrier.key, usual, { ppt: "div" })]],
  ["another algorithm", "unreadable", [identityHeader(carrier.key, usual, { alg: "none" })]],
  ["too old", "stale", [identityHeader(carrier.key, { ...usual, iat: nowSeconds - 120 })]],
  ["of tomorrow", "stale", [identityHeader(carrier.key, { ...usual, iat: nowSeconds + 86_400 })]],
  ["without a time", "stale", [identityHeader(carrier.key, { ...usual, iat: "soon" as unknown as number })]],
  ["for another caller", "numbers", [identityHeader(carrier.key, { ...usual, orig: "905550000000" })]],
  ["for another called", "numbers", [identityHeader(carrier.key, { ...usual, dest: ["905550000000"] })]],
  ["to nobody", "numbers", [identityHeader(carrier.key, { ...usual, dest: [] })]],
] as const)("%s is %s", (_, why, values) => {
  expect(judged([...values])).toEqual({ is: "failed", why });
});

test("a changed word, another's key and an old certificate break it", () => {
  const value = identityHeader(carrier.key, usual);
  const [header, , signature] = value.split(".");
  const claims = Buffer.from(JSON.stringify({ orig: { tn: "905321234567" }, dest: { tn: "908505320000" } }));
  expect(judged([`${header}.${claims.toString("base64url")}.${signature}`])).toEqual({
    is: "failed",
    why: "signature",
  });
  expect(judged([value], { certificates: stranger.cert })).toEqual({ is: "failed", why: "signature" });
  expect(judged([value], { certificates: "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----" })).toEqual({
    is: "failed",
    why: "signature",
  });
  const inAYear = nowMs + 365 * 86_400_000;
  const late = identityHeader(carrier.key, { ...usual, iat: Math.floor(inAYear / 1_000) });
  expect(judged([late], { nowMs: inAYear })).toEqual({ is: "failed", why: "signature" });
});

test.each([
  "",
  ".",
  "a.b.c",
  "..x;info=<https://a>",
  `${"e30".repeat(4_000)}.e30.e30`,
  "bnVsbA.bnVsbA.bnVsbA",
  "e30.e30.e30",
])("%.20s says nothing", (value) => {
  expect(judged([value])).toEqual({ is: "failed", why: "unreadable" });
});

test("one that holds is enough among others", () => {
  const good = identityHeader(carrier.key, usual);
  expect(judged(["nonsense", identityHeader(stranger.key, { ...usual, iat: 1 }), good])).toMatchObject({
    is: "verified",
  });
});
