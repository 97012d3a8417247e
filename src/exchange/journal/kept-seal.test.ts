import { expect, test } from "vitest";
import { newSealKey, openKeptSeal } from "./kept-seal.ts";

const plain = { version: 1, legs: [{ media: { agreed: { codec: "PCMA" } } }] };
const encrypted = { version: 1, legs: [{ media: { agreed: { srtp: { localKey: "c2VjcmV0" } } } }] };

test("what is kept of a plain call can be read, and the keys of an encrypted one cannot", () => {
  const seal = openKeptSeal(newSealKey());
  expect(seal.close(plain)).toBe(JSON.stringify(plain));
  const closed = seal.close(encrypted);
  expect(closed).not.toContain("c2VjcmV0");
  expect(seal.open(JSON.parse(closed) as object)).toEqual(encrypted);
  expect(seal.open(plain)).toEqual(plain);
});

test("nor can the password of a browser's way", () => {
  const kept = { version: 1, legs: [{ media: { agreed: { ice: { localPassword: "c2VjcmV0" } } } }] };
  expect(openKeptSeal(newSealKey()).close(kept)).not.toContain("c2VjcmV0");
});

test("nor can the proof that an INVITE to a carrier holds", () => {
  const invite = 'INVITE sip:1@carrier.example SIP/2.0\r\nProxy-Authorization: Digest response="c2VjcmV0"\r\n\r\n';
  const closed = openKeptSeal(newSealKey()).close({ version: 2, ringing: [{ invite: { asked: { invite } } }] });
  expect(closed).not.toContain("c2VjcmV0");
});

test("another key, or another text, opens nothing", () => {
  const closed = openKeptSeal(newSealKey()).close(encrypted);
  expect(openKeptSeal(newSealKey()).open(JSON.parse(closed) as object)).toBeUndefined();
  const seal = openKeptSeal(newSealKey());
  const { sealed } = JSON.parse(seal.close(encrypted)) as { sealed: string };
  expect(seal.open({ sealed: `${sealed.slice(0, -8)}AAAAAAA=` })).toBeUndefined();
  expect(seal.open({ sealed: "" })).toBeUndefined();
});
