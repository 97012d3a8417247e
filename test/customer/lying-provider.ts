// A provider that says whatever a test wants of it: tokens for others, of others, from before, or signed by nobody.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Lies = {
  claims: Record<string, unknown>;
  alg?: string;
  /** Signed by another key under the same name. */
  forged?: boolean;
};

export type LyingProvider = { issuer: string; lies: Lies; asked: URLSearchParams[]; close(): Promise<void> };

const NOW = () => Math.floor(Date.now() / 1_000);

export async function openLyingProvider(clientId: string): Promise<LyingProvider> {
  const [own, others] = [newKey(), newKey()];
  const it: LyingProvider = { issuer: "", lies: { claims: {} }, asked: [], close: async () => undefined };
  const server = createServer((request, response) => {
    const tell = (value: object, status = 200) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url?.startsWith("/.well-known/")) return tell(metadataOf(it.issuer));
    if (request.url === "/jwks") return tell({ keys: [{ ...own.publicJwk, kid: "one", alg: "ES256", use: "sig" }] });
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      it.asked.push(new URLSearchParams(body));
      const { claims, alg = "ES256", forged } = it.lies;
      const usual = { iss: it.issuer, aud: clientId, sub: "ann", iat: NOW(), exp: NOW() + 60 };
      const id_token = tokenOf({ ...usual, ...claims }, alg, forged ? others.privateKey : own.privateKey);
      tell({ access_token: "a", token_type: "Bearer", id_token });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  it.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  it.close = () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return it;
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["ES256"],
    subject_types_supported: ["public"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicJwk: publicKey.export({ format: "jwk" }) };
}

function tokenOf(claims: object, alg: string, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg, kid: "one" })}.${part(claims)}`;
  if (alg === "none") return `${text}.`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
