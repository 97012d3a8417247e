// The key of a Google service account, and the access tokens that are asked for with it (RFC 7523).

import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { type Ticks, within } from "../clock.ts";
import { isTrouble, type Trouble, trouble, troubleOfStatus } from "./archive.ts";
import { type HttpClient, wordsOf } from "./http-client.ts";

export type GoogleKey = { email: string; key: KeyObject; tokenUrl: string; keyId: string };

const SCOPE = "https://www.googleapis.com/auth/drive";
const LIFE_SECONDS = 3_600;
/** A token is not used up to its last second: clocks differ, and an upload takes its time to begin. */
const SPARE_MS = 120_000;

/** The file that Google gives out, as text. Undefined when it is not one. */
export function readGoogleKey(text: string): GoogleKey | undefined {
  try {
    const { client_email: email, private_key: pem, token_uri: tokenUrl, private_key_id: keyId } = JSON.parse(text);
    if (typeof email !== "string" || typeof pem !== "string" || !URL.canParse(tokenUrl)) return undefined;
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "rsa" ? { email, key, tokenUrl, keyId: String(keyId ?? "") } : undefined;
  } catch {
    return undefined; // no JSON, or no key in it
  }
}

export type Tokens = { current(signal?: AbortSignal): Promise<string | Trouble>; forget(): void };

export function openTokens(client: HttpClient, key: GoogleKey): Tokens {
  let held: { token: string; until: Ticks } | undefined;
  return {
    async current(signal) {
      if (held && client.clock.ticks() < held.until) return held.token;
      const url = new URL(key.tokenUrl);
      const body = new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: assertionOf(key, client.clock.wall()),
      }).toString();
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await client.ask({ method: "POST", url, headers, body, signal });
      if (isTrouble(answer)) return answer;
      const said = parsed(await wordsOf(answer));
      if (answer.status !== 200 || typeof said.access_token !== "string") return notGiven(answer.status, said);
      const lifeMs = 1_000 * (typeof said.expires_in === "number" ? said.expires_in : LIFE_SECONDS);
      held = { token: said.access_token, until: within(client.clock, lifeMs - SPARE_MS) };
      return held.token;
    },
    forget() {
      held = undefined;
    },
  };
}

function assertionOf({ email, key, tokenUrl, keyId }: GoogleKey, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1_000);
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: issuedAt, exp: issuedAt + LIFE_SECONDS };
  const parts = [{ alg: "RS256", typ: "JWT", ...(keyId === "" ? {} : { kid: keyId }) }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

function notGiven(status: number, { error }: Record<string, unknown>): Trouble {
  const code = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : "";
  if (status === 400 || status === 401) return trouble("login", code || `HTTP ${status}`);
  return status === 200 ? trouble("refused", "no token") : troubleOfStatus(status, code);
}

/** An object out of a text, empty when there is none. */
export function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
