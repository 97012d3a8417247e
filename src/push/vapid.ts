// Who we are to a push service (RFC 8292): the key that a browser binds its subscription to, and a word signed with it.

import { createECDH, createPrivateKey, sign } from "node:crypto";

const CURVE = "prime256v1";
/** A service refuses what lasts longer than a day. */
const GOOD_FOR_MS = 12 * 3_600_000;

/** The private half, as it is kept; the public one follows from it. */
export function newPushKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return fixedLength(pair.getPrivateKey()).toString("base64url");
}

/** As browsers take it: 65 octets in base64url. */
export function publicKeyOf(privateKey: string): string {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
  return pair.getPublicKey().toString("base64url");
}

/** `contact`: where the service finds whoever runs this, by https or mail. */
export function authorizationFor(
  endpoint: URL,
  { privateKey, contact, nowMs }: { privateKey: string; contact: string; nowMs: number },
): string {
  const publicKey = publicKeyOf(privateKey);
  const point = Buffer.from(publicKey, "base64url");
  const x = point.toString("base64url", 1, 33);
  const y = point.toString("base64url", 33);
  const key = createPrivateKey({ key: { kty: "EC", crv: "P-256", x, y, d: privateKey }, format: "jwk" });
  const claims = { aud: endpoint.origin, exp: Math.floor((nowMs + GOOD_FOR_MS) / 1_000), sub: contact };
  const said = [{ typ: "JWT", alg: "ES256" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = sign("sha256", Buffer.from(said.join(".")), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${said.join(".")}.${signature.toString("base64url")}, k=${publicKey}`;
}

/** A number that begins with zeros is shorter, and a key of it would be refused. */
function fixedLength(privateKey: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]);
}
