// Fetches the script of a page when it is opened, from a server that may be away just then or has become another version.

import { askForPage, untilBack } from "../ask/connection.ts";

/** The server is there, and the script is not: it was taken away, or this browser does not ask for it a second time. */
export class PageGone extends Error {
  /** Set where only a call kept the page from being loaded anew: the version that it would be loaded anew for. */
  readonly held: string | undefined;

  constructor(held: string | undefined, cause: unknown) {
    super("the script of this page is gone", { cause });
    this.held = held;
  }
}

const RELOADED_FOR = "santral.reloaded-for";
const SCRIPT = /\/console\/assets\/index-[\w-]+\.js/;
/** A server that stops in the very moment answers one question and not the next. */
const TRIES = 3;

/** Held while a reload would be in somebody's way: he is asked instead. */
let isHeld = false;
const waiting = new Set<() => void>();

export function holdReloads(on: boolean): void {
  isHeld = on;
  if (!on) for (const reload of [...waiting]) reload();
}

/** Loads the page anew once the call is over that kept it. */
export function reloadWhenFree({ held }: PageGone): () => void {
  const reload = () => {
    if (held !== undefined && remember(held)) location.reload();
  };
  waiting.add(reload);
  return () => void waiting.delete(reload);
}

/**
 * Waits for a server that is away. An upgrade has other names for its scripts: then the page is loaded anew, but for each
 * version only once, so that a script that is missing for good does not send anybody round in a circle.
 */
export async function fetchPage<Script>(fetch: () => Promise<Script>): Promise<Script> {
  for (let failures = 1; ; failures++) {
    try {
      return await fetch();
    } catch (fault) {
      await untilBack();
      const page = await askForPage();
      const build = SCRIPT.exec(page ?? "")?.[0] ?? "";
      const isOurs = build === (SCRIPT.exec(ownScript())?.[0] ?? "");
      if (page === undefined || (isOurs && failures < TRIES)) continue;
      if (isHeld || !remember(build)) throw new PageGone(isHeld ? build : undefined, fault);
      location.reload();
      return new Promise<never>(() => undefined);
    }
  }
}

function ownScript(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
}

/** False when the page was loaded anew for this version before, or nothing can be remembered. */
function remember(build: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FOR) === build) return false;
    sessionStorage.setItem(RELOADED_FOR, build);
    return true;
  } catch {
    return false; // a browser that keeps nothing could not tell the first time from the second
  }
}
