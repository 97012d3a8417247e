// What a carrier signs of a caller (RFC 8225), for tests.

import { sign } from "node:crypto";

export type Claims = { orig: string; dest: readonly string[]; iat: number; attest?: string };

/** The value of an Identity header. */
export function identityHeader(
  key: string,
  { orig, dest, ...claims }: Claims,
  said: Record<string, unknown> = {},
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const x5u = "https://carrier.example/cert.pem";
  const text = `${part({ alg: "ES256", ppt: "shaken", typ: "passport", x5u, ...said })}.${part({
    attest: "A",
    dest: { tn: dest },
    orig: { tn: orig },
    origid: "5b2f5ae0-57ad-4f38-8ae6-1cb4f8ec2a55",
    ...claims,
  })}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")};info=<${x5u}>;alg=ES256;ppt="shaken"`;
}
