// What this browser remembers of the phone in the corner: for this tab its page, for this person whether it was opened.

import { keptCalls, keptChoices } from "../phone/keep.ts";

export type PanelKept = { who: string; page: string; isShown: boolean };

const PANEL = "santral.phone-panel";
const openedBy = (who: string) => `santral.phone-opened ${who}`;

/** A tab remembers across reloads; the phone's own page has its token beside it. */
export function keepPanel(panel: PanelKept): void {
  try {
    sessionStorage.setItem(PANEL, JSON.stringify(panel));
    localStorage.setItem(openedBy(panel.who), "1");
  } catch {
    // A browser that keeps nothing: then the phone is opened by hand each time.
  }
}

export function keptPanel(who: string): PanelKept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PANEL) ?? "null") as PanelKept | null; // only written above
    return kept?.who === who ? kept : undefined;
  } catch {
    return undefined; // as above
  }
}

/** Opened by a click on a note of the browser's: somebody calls. */
const isCalled = new URLSearchParams(location.search).has("phone");

/** A call that may still be up wants its phone; else it is there if its owner had it once and wants it to ring here. */
export function wantsPhone(who: string): boolean {
  if (isCalled || keptPanel(who) || keptCalls(who, Date.now()).length > 0) return true;
  try {
    return localStorage.getItem(openedBy(who)) !== null && keptChoices(null).staysReady;
  } catch {
    return false; // as above
  }
}

/** An agent's desk has its phone on it, unless he has said that his rings elsewhere. */
export function wantsPhoneAtDesk(): boolean {
  return keptChoices(null).staysReady;
}

/** Whoever signs out leaves no phone behind. */
export function forgetPanel(): void {
  try {
    sessionStorage.removeItem(PANEL);
  } catch {
    // as above
  }
}
