// A push service as browsers have one at their makers', and browsers that it delivers to: they read what only they can.

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../ground/certificate.ts";
import { whenOver } from "../ground/when-over.ts";

export type PushedTo = { headers: IncomingHttpHeaders; message: Buffer /** As the browser reads it. */; text: string };

export type ListeningBrowser = {
  /** As `PushSubscription` has it. */
  address: { endpoint: string; p256dh: string; auth: string };
  pushed: PushedTo[];
  /** From now on the service answers so. */
  answers(status: number): void;
};

export type PushService = {
  /** Whom a caller must trust. */
  certificate: string;
  browser(): ListeningBrowser;
};

export async function openPushService(): Promise<PushService> {
  const { key, cert } = selfSigned("localhost");
  const browsers = new Map<string, (headers: IncomingHttpHeaders, message: Buffer) => number>();
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const deliver = browsers.get(request.url ?? "");
      response.writeHead(deliver?.(request.headers, Buffer.concat(chunks)) ?? 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a path
  return {
    certificate: cert,
    browser() {
      const pair = createECDH("prime256v1");
      const keys = { point: pair.generateKeys(), auth: randomBytes(16) };
      const path = `/send/${randomBytes(16).toString("base64url")}`;
      const pushed: PushedTo[] = [];
      let status = 201;
      browsers.set(path, (headers, message) => {
        pushed.push({ headers, message, text: decrypted(pair, keys.auth, message) });
        return status;
      });
      const [p256dh, auth] = [keys.point.toString("base64url"), keys.auth.toString("base64url")];
      const answers = (next: number) => {
        status = next;
      };
      return { address: { endpoint: `${origin}${path}`, p256dh, auth }, pushed, answers };
    },
  };
}

/** RFC 8291, the receiver's half. */
export function decrypted(pair: ReturnType<typeof createECDH>, auth: Buffer, message: Buffer): string {
  const [salt, point, body] = [message.subarray(0, 16), message.subarray(21, 86), message.subarray(86)];
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), point]);
  const material = derived(pair.computeSecret(point), auth, info, 32);
  const key = derived(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derived(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

function derived(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}

/** RFC 8292, as a service checks it: whose word it is, and what it says. */
export function vouchedBy(authorization: string): { key: string; claims: Record<string, unknown>; isTrue: boolean } {
  const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.toString("base64url", 1, 33), point.toString("base64url", 33)];
  const theirs = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const isTrue = verify(
    "sha256",
    signed,
    { key: theirs, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const read = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
  return { key, claims: read, isTrue };
}
