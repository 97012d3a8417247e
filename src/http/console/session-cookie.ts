// The cookie that holds a session: out of reach for scripts, never sent by another site, and only to the console.

import type { IncomingMessage } from "node:http";

const NAME = "santral_session";

export function tokenIn({ headers }: Pick<IncomingMessage, "headers">): string {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === NAME) return value ?? "";
  }
  return "";
}

export function sessionCookie(token: string, { expires, secure }: { expires: Date; secure: boolean }): string {
  const parts = [
    `${NAME}=${token}`,
    "Path=/console",
    "HttpOnly",
    "SameSite=Strict",
    `Expires=${expires.toUTCString()}`,
  ];
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
