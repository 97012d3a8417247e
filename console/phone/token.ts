// The phone's token: out of the address at once, kept for a reload, and followed by the next one without a reload.

import { keepToken, keptToken } from "./keep.ts";

export type Token = {
  now(): string;
  /** From now on this one. */
  take(next: string): Promise<void>;
};

export function openToken(): Token {
  let token = tokenInAddress();
  return {
    now: () => token,
    async take(next) {
      token = next;
      const page = await pageOf(next);
      if (page === undefined) return;
      pageMeta()?.setAttribute("content", page);
      rememberAs(page, next);
    },
  };
}

/** Out of the address at once, so that nobody reads it there; a reload finds the page by its own name. */
function tokenInAddress(): string {
  const page = pageMeta()?.getAttribute("content") ?? "";
  const token = new URLSearchParams(location.search).get("token");
  if (token === null) return keptToken(page) ?? "";
  rememberAs(page, token);
  return token;
}

/** A browser that keeps nothing for us has to find the token in the address. */
function rememberAs(page: string, token: string): void {
  const address = new URLSearchParams(location.search);
  const isKept = keepToken(page, token);
  address.delete(isKept ? "token" : "page");
  address.set(...((isKept ? ["page", page] : ["token", token]) as [string, string]));
  history.replaceState(null, "", `${location.pathname}?${address}`);
}

const pageMeta = () => document.querySelector('meta[name="santral-page"]');

/** As the exchange calls it. A page that came by no safe way cannot know, and has no microphone either. */
async function pageOf(token: string): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
  return [...hash].map((octet) => octet.toString(16).padStart(2, "0")).join("");
}
