// The cookies of the console: out of reach for scripts, and only sent to the console. That of a session is never sent by
// another site; that of somebody who was sent to a provider comes back with him from there.

import type { IncomingMessage } from "node:http";

const NAME = "santral_session";
const ATTEMPT = "santral_sign_in";

type Asked = Pick<IncomingMessage, "headers">;

export function tokenIn(asked: Asked): string {
  return cookieIn(asked, NAME);
}

export function attemptIn(asked: Asked): string {
  return cookieIn(asked, ATTEMPT);
}

function cookieIn({ headers }: Asked, wanted: string): string {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === wanted) return value ?? "";
  }
  return "";
}

type Kept = { expires: Date; secure: boolean };

export function sessionCookie(token: string, kept: Kept): string {
  return cookie(`${NAME}=${token}`, "Path=/console", "SameSite=Strict", kept);
}

/** Lax: the provider sends people back from a site of its own. */
export function attemptCookie(token: string, kept: Kept): string {
  return cookie(`${ATTEMPT}=${token}`, "Path=/console/sso", "SameSite=Lax", kept);
}

function cookie(value: string, path: string, sameSite: string, { expires, secure }: Kept): string {
  const parts = [value, path, "HttpOnly", sameSite, `Expires=${expires.toUTCString()}`];
  return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
}

/** A page of another site cannot set this header, nor read an answer without our leave. */
const OWN_HEADER = "x-santral-console";

/** Whether a page of the console itself asks; `publicUrl` is where a proxy shows it. */
export function isOwnPage({ headers }: Pick<IncomingMessage, "headers">, publicUrl: string | undefined): boolean {
  return headers[OWN_HEADER] === "1" && isOwnOrigin(headers, publicUrl);
}

export function isOwnOrigin({ origin, host }: IncomingMessage["headers"], publicUrl: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host || from.origin === (publicUrl === undefined ? undefined : new URL(publicUrl).origin);
}
