import { createECDH, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { decrypted, vouchedBy } from "../../test/phones/push-service.ts";
import { areKeys, encryptFor } from "./encrypt.ts";
import { authorizationFor, newPushKey, publicKeyOf } from "./vapid.ts";

const octets = (text: string) => Buffer.from(text, "base64url");

// RFC 8291, appendix A.
const example = {
  text: "When I grow up, I want to be a watermelon",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  message:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

test("the example of RFC 8291 is encrypted octet for octet", () => {
  const keys = { p256dh: octets(example.p256dh), auth: octets(example.auth) };
  const once = { salt: octets(example.salt), privateKey: octets(example.privateKey) };
  const made = encryptFor(keys, example.text, once, Buffer.byteLength(example.text));
  expect(made?.toString("base64url")).toBe(example.message);
});

test("a browser reads what is written to it, and all messages are of one length", () => {
  const browser = createECDH("prime256v1");
  const keys = { p256dh: browser.generateKeys(), auth: randomBytes(16) };
  const messages = ["", "Ayşe Yılmaz", "x".repeat(2_048)].map((text) => ({ text, made: encryptFor(keys, text)! }));
  for (const { text, made } of messages) expect(decrypted(browser, keys.auth, made)).toBe(text);
  expect(new Set(messages.map(({ made }) => made.length)).size).toBe(1);
  expect(encryptFor(keys, "x".repeat(2_049))).toBeUndefined();
});

test("what is no key is refused and breaks nothing", () => {
  const auth = randomBytes(16);
  const point = octets(example.p256dh);
  const elsewhere = Buffer.concat([Buffer.from([4]), randomBytes(64)]);
  expect(areKeys({ p256dh: point, auth })).toBe(true);
  for (const p256dh of [Buffer.alloc(0), Buffer.alloc(65), point.subarray(1), elsewhere]) {
    expect(areKeys({ p256dh, auth })).toBe(false);
    expect(encryptFor({ p256dh, auth }, "x")).toBeUndefined();
  }
  expect(areKeys({ p256dh: point, auth: auth.subarray(1) })).toBe(false);
});

test("our word to a push service is signed by the key that browsers were given, for that service alone", () => {
  for (let times = 0; times < 20; times++) {
    const privateKey = newPushKey();
    const said = authorizationFor(new URL("https://push.example:8443/secret/path"), {
      privateKey,
      contact: "https://santral.example.com",
      nowMs: 1_000_000,
    });
    const { key, claims, isTrue } = vouchedBy(said);
    expect({ key, isTrue }).toEqual({ key: publicKeyOf(privateKey), isTrue: true });
    expect(claims).toEqual({
      aud: "https://push.example:8443",
      exp: 1_000 + 12 * 3_600,
      sub: "https://santral.example.com",
    });
  }
});
