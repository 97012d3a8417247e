// What this person went to last by searching, kept by the browser.

import type { Found } from "./search-found.ts";

const MOST = 6;
const nameFor = (email: string) => `santral.found.${email}`;

export function recentOf(email: string): Found[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameFor(email)) ?? "[]");
    return Array.isArray(kept) ? (kept.filter(isFound) as Found[]).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function noteRecent(email: string, found: Found): void {
  const others = recentOf(email).filter(({ key }) => key !== found.key);
  localStorage.setItem(nameFor(email), JSON.stringify([found, ...others].slice(0, MOST)));
}

/** Whoever can write here could lead one to another site. */
function isFound(kept: unknown): boolean {
  const { key, icon, title, detail, href } = Object(kept) as Record<string, unknown>;
  const isPath = typeof href === "string" && /^\/(?!\/)/.test(href);
  return isPath && [key, icon, title, detail].every((it) => typeof it === "string");
}
