// A real provider of identities: npm's oidc-provider on loopback, with its own pages, and people who are known there.

import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Person = { email?: string; email_verified?: boolean; name?: string; groups?: string[] };

export const CLIENT = { id: "santral", secret: "a secret of the two" };

export type IdentityProvider = {
  issuer: string;
  /** By the name they sign in with there; read anew each time. */
  people: Record<string, Person>;
  /** New keys to sign with, and the former ones are gone. */
  changeKeys(): void;
  /** Nobody answers until it is back. */
  away(isAway: boolean): void;
  close(): Promise<void>;
};

type Provider = { callback(): RequestListener };
type Make = new (issuer: string, settings: object) => Provider;

/** `host`: "localhost" is another site than a console at 127.0.0.1. */
export async function openIdentityProvider(
  consoleUrl: string,
  exchangeId: number,
  host = "127.0.0.1",
): Promise<IdentityProvider> {
  // It has no types of its own.
  const { default: Provider } = (await import("oidc-provider" as string)) as { default: Make };
  const people: IdentityProvider["people"] = {};
  let answer: RequestListener = (_, response) => void response.end();
  let isAway = false;
  const server: Server = createServer((request, response) => {
    if (isAway) request.socket.destroy();
    else answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const changeKeys = () => {
    answer = new Provider(issuer, settingsFor({ consoleUrl, exchangeId, people })).callback();
  };
  changeKeys();
  return {
    issuer,
    people,
    changeKeys,
    away: (away) => {
      isAway = away;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

type Wanted = { consoleUrl: string; exchangeId: number; people: Record<string, Person> };

function settingsFor({ consoleUrl, exchangeId, people }: Wanted): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = Math.random().toString(36).slice(2);
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/sso/${exchangeId}/callback`],
        post_logout_redirect_uris: [consoleUrl],
        token_endpoint_auth_method: "client_secret_post",
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" }] },
    cookies: { keys: ["a key of its cookies"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people[accountId] }),
    }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  };
}

/** What a browser does there: the pages are filled in one after the other, until the way leads back to us. */
export async function walkThrough(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, form] = [start, undefined as URLSearchParams | undefined];
  for (let pages = 0; pages < 15; pages++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      ...(form ? { method: "POST", body: form } : {}),
      headers: { cookie },
      redirect: "manual",
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    form = undefined;
    if (location) {
      url = new URL(location, url).href;
      if (!url.startsWith(new URL(start).origin)) return url;
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`no form: ${page.slice(0, 2_000)}`);
    url = new URL(action, url).href;
    form = new URLSearchParams(
      page.includes('value="login"') ? { prompt: "login", login, password: "any" } : { prompt: "consent" },
    );
  }
  throw new Error("no way back");
}
