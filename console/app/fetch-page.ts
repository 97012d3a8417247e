// Fetches the script of a page when it is opened, from a server that may be away just then or has become another version.

import { askForPage, untilBack } from "../ask/connection.ts";

/** The server is there, and the script is not: it was taken away, or this browser does not ask for it a second time. */
export class PageGone extends Error {}

const RELOADED_FOR = "santral.reloaded-for";
const SCRIPT = /\/console\/assets\/index-[\w-]+\.js/;
/** A server that stops in the very moment answers one question and not the next. */
const TRIES = 3;

/** Held while a reload would be in somebody's way: he is asked instead. */
let isHeld = false;

export function holdReloads(on: boolean): void {
  isHeld = on;
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
      if (isHeld || !remember(build)) throw new PageGone("the script of this page is gone", { cause: fault });
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
