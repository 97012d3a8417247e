// SIP logins of web phones: made from a token, good for minutes, and never an extension's password.

import { createHmac, randomBytes } from "node:crypto";
import { type Clock, type Ticks, within } from "../../../clock.ts";
import type { Hash } from "../../../sip/digest-answer.ts";
import type { Directory } from "./directory.ts";

export type WebLogin = { user: string; password: string; seconds: number };

export type WebLoginRequest = { exchangeId: number; sipDomain: string; extension: string; token: string };

export type WebLogins = {
  issue(wanted: WebLoginRequest): WebLogin;
  /** The extension's tokens were taken back. */
  forget(exchangeId: number, extension: string): void;
  /** A directory that knows these logins too, for whoever checks passwords. */
  directory: Directory;
};

type Known = { exchangeId: number; extension: string; ha1: { MD5: string; "SHA-256": string }; until: Ticks };

/** A page asks for the next one in good time; what leaks out of a page is of no use for long. */
const LIFE_MS = 10 * 60_000;
const PREFIX = "web-";
const MOST = 50_000;

/** By the name that it is given: no extension has such a one. */
export const isWebLogin = (user: string) => user.startsWith(PREFIX);

export function openWebLogins(parts: { clock: Clock; hash: Hash; directory: Directory }): WebLogins {
  const { clock, hash, directory } = parts;
  const secret = randomBytes(32);
  const known = new Map<string, Known>();
  return {
    issue({ exchangeId, sipDomain, extension, token }) {
      const user = `${PREFIX}${randomBytes(9).toString("base64url")}`;
      const password = createHmac("sha256", secret).update(`${user} ${token}`).digest("base64url");
      const text = `${user}:${sipDomain}:${password}`;
      makeRoom();
      const ha1 = { MD5: hash("MD5", text), "SHA-256": hash("SHA-256", text) };
      known.set(user, { exchangeId, extension, ha1, until: within(clock, LIFE_MS) });
      return { user, password, seconds: LIFE_MS / 1_000 };
    },
    forget(exchangeId, extension) {
      for (const [user, login] of known)
        if (login.exchangeId === exchangeId && login.extension === extension) known.delete(user);
    },
    directory: {
      ...directory,
      secretOf: (exchangeId, user, forHelp = false) =>
        isWebLogin(user) ? secretOf(exchangeId, user, forHelp) : directory.secretOf(exchangeId, user, forHelp),
      extension: (exchangeId, user) => directory.extension(exchangeId, find(exchangeId, user)?.extension ?? user),
    },
  };

  function secretOf(exchangeId: number, user: string, forHelp: boolean) {
    const login = find(exchangeId, user);
    const extension = login && directory.extension(exchangeId, login.extension);
    return extension && (extension.active || forHelp) ? login.ha1 : undefined;
  }

  function find(exchangeId: number, user: string): Known | undefined {
    const login = isWebLogin(user) ? known.get(user) : undefined;
    return login?.exchangeId === exchangeId && login.until > clock.ticks() ? login : undefined;
  }

  /** The oldest come first in the map, and all live equally long. */
  function makeRoom(): void {
    const now = clock.ticks();
    for (const [user, { until }] of known) {
      if (until > now && known.size < MOST) return;
      known.delete(user);
    }
  }
}
