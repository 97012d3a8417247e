import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
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

/** As a browser does it. */
function decrypt(browser: ReturnType<typeof createECDH>, auth: Buffer, message: Buffer): string {
  const [salt, point, body] = [message.subarray(0, 16), message.subarray(21, 86), message.subarray(86)];
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), point]);
  const material = derive(browser.computeSecret(point), auth, info, 32);
  const key = derive(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

test("a browser reads what is written to it, and all messages are of one length", () => {
  const browser = createECDH("prime256v1");
  const keys = { p256dh: browser.generateKeys(), auth: randomBytes(16) };
  const messages = ["", "Ayşe Yılmaz", "x".repeat(2_048)].map((text) => ({ text, made: encryptFor(keys, text)! }));
  for (const { text, made } of messages) expect(decrypt(browser, keys.auth, made)).toBe(text);
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
    const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(said) ?? [];
    expect(key).toBe(publicKeyOf(privateKey));
    const [head = "", claims = "", signature = ""] = token.split(".");
    expect(JSON.parse(octets(head).toString())).toEqual({ typ: "JWT", alg: "ES256" });
    expect(JSON.parse(octets(claims).toString())).toEqual({
      aud: "https://push.example:8443",
      exp: 1_000 + 12 * 3_600,
      sub: "https://santral.example.com",
    });
    const point = octets(key);
    const [x, y] = [point.toString("base64url", 1, 33), point.toString("base64url", 33)];
    const ours = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify("sha256", signed, { key: ours, dsaEncoding: "ieee-p1363" }, octets(signature))).toBe(true);
  }
});
