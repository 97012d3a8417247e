// One conversation with a provider by OpenID Connect: where a person is sent, and what became of him there.
// What it says of itself is read each time, so that changed keys and addresses hold at once.

import * as client from "openid-client";
import type { Requester } from "../webhooks/requester.ts";
import { SsoFailed } from "./trouble.ts";

export type ProviderSettings = { issuer: string; client_id: string; scopes: string };

/** What a sign-in is recognised by when it comes back. */
export type Marks = { state: string; nonce: string; verifier: string };

export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_ANSWER = 512 * 1024;

type Open = { requester: Requester; settings: ProviderSettings; secret: string | null };

/** `again`: somebody who is known there all the same shows who he is. */
export async function sendThere(
  open: Open,
  redirectUri: string,
  { again = false }: { again?: boolean | undefined } = {},
): Promise<{ url: string; marks: Marks }> {
  const config = await discover(open);
  const marks = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopesOf(open.settings),
    state: marks.state,
    nonce: marks.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(marks.verifier),
    code_challenge_method: "S256",
    ...(again ? { prompt: "login" } : {}),
  });
  return { url: url.href, marks };
}

export type CameBack = { claims: Claims; logOutUrl: string | null };

/** `wants`: names of claims that are asked for apart when the token does not hold them. */
export async function comeBack(open: Open, { query, redirectUri, marks, wants, after }: Returning): Promise<CameBack> {
  const config = await discover(open);
  return orTrouble("untrusted", async () => {
    const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
      expectedState: marks.state,
      expectedNonce: marks.nonce,
      pkceCodeVerifier: marks.verifier,
      idTokenExpected: true,
    });
    const told: Claims & { sub: string } = tokens.claims()!; // one was expected
    const lacks = wants.some((name) => told[name] === undefined) && config.serverMetadata().userinfo_endpoint;
    const more = lacks ? await client.fetchUserInfo(config, tokens.access_token, told.sub) : {};
    return { claims: { ...more, ...told }, logOutUrl: logOutUrl(config, tokens.id_token ?? "", after) };
  });
}

type Returning = {
  query: string;
  redirectUri: string;
  marks: Marks;
  wants: readonly string[];
  /** Where the provider sends back who has signed out. */
  after: string;
};

function logOutUrl(config: client.Configuration, idToken: string, after: string): string | null {
  if (!config.serverMetadata().end_session_endpoint) return null;
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: after }).href;
}

export type Tried = {
  issuer: string;
  /** Whether it told that it knows us; some say nothing of it to a made-up code. */
  client: "known" | "unsaid";
  logsOut: boolean;
};

/** Whether it answers, and knows us: a code that nobody was given is refused for itself only to whom it knows. */
export async function tryProvider(open: Open, redirectUri: string): Promise<Tried> {
  const config = await discover(open);
  const { issuer, end_session_endpoint } = config.serverMetadata();
  const made = {
    code: "a-trial-without-a-person",
    redirect_uri: redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  };
  const answer = await orTrouble("bad-provider", () =>
    client.genericGrantRequest(config, "authorization_code", made).then(
      () => "unsaid" as const,
      (error: unknown) => {
        if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") return "known" as const;
        if (error instanceof client.ResponseBodyError && !isClientRefused(error)) return "unsaid" as const;
        throw error;
      },
    ),
  );
  return { issuer, client: answer, logsOut: end_session_endpoint !== undefined };
}

function discover({ requester, settings, secret }: Open): Promise<client.Configuration> {
  const issuer = new URL(settings.issuer);
  return orTrouble("bad-provider", async () => {
    const config = await client.discovery(issuer, settings.client_id, undefined, loginOf(secret), {
      [client.customFetch]: fetchBy(requester),
      // Signatures are looked at though the token comes straight from the provider: it costs one request.
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    });
    const { authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata();
    if (!authorization_endpoint || !token_endpoint || !jwks_uri) throw new SsoFailed("bad-provider", "endpoints");
    return config;
  });
}

/** In the body where the provider takes it there, since many do not undo what a header does to signs in a secret. */
function loginOf(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = server;
    const way = ways.includes("client_secret_post") ? client.ClientSecretPost : client.ClientSecretBasic;
    return way(secret)(server, ...rest);
  };
}

/** `openid` makes it a sign-in at all. */
function scopesOf({ scopes }: ProviderSettings): string {
  return [...new Set(["openid", ...scopes.split(/\s+/).filter((it) => it !== "")])].join(" ");
}

/** Guarded as every request to a customer's server; redirections are not followed. */
function fetchBy(requester: Requester): client.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await requester.ask(url, {
      method: method === "POST" ? "POST" : "GET",
      headers: { ...headers },
      body: body === undefined || body === null ? "" : String(body),
      wantBytes: LONGEST_ANSWER,
      asFile: true,
      ...(signal ? { signal } : {}),
    });
    if ("failed" in answer) {
      const isOurs = answer.why === "not-public" || answer.why === "bad-url";
      throw new SsoFailed(isOurs ? "not-public" : "away", answer.failed);
    }
    if (answer.status >= 500) throw new SsoFailed("away", String(answer.status));
    const told = new Headers();
    for (const [name, value] of Object.entries(answer.headers ?? {}))
      for (const one of [value ?? []].flat()) told.append(name, one);
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : new Uint8Array(answer.bytes ?? []), { status: answer.status, headers: told });
  };
}

/** What the library throws, as a trouble; `otherwise` for what it says of an answer that does not fit. */
async function orTrouble<Result>(
  otherwise: "bad-provider" | "untrusted",
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw troubleOf(error, otherwise);
  }
}

function troubleOf(error: unknown, otherwise: "bad-provider" | "untrusted"): SsoFailed {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SsoFailed) return cause;
  const says = error instanceof Error ? error.message : String(error);
  if (error instanceof client.AuthorizationResponseError)
    return new SsoFailed(error.error === "access_denied" ? "denied" : otherwise, error.error);
  if (isClientRefused(error)) return new SsoFailed("bad-client", says);
  if (error instanceof client.ResponseBodyError)
    return new SsoFailed(error.error === "invalid_grant" ? "expired" : otherwise, error.error);
  return new SsoFailed(otherwise, says);
}

function isClientRefused(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof client.ResponseBodyError && ["invalid_client", "unauthorized_client"].includes(error.error);
}
