// What survives a reload: the token for this tab, the owner's choices, and the calls that are up.

import { firstLanguage, languageIn } from "../../src/languages.ts";
import type { Drafts } from "./forms.ts";
import type { Line } from "./lines.ts";
import type { Choices } from "./state.ts";

/** Which call it is in SIP: enough to take its place from a new page (RFC 3891). */
export type DialogName = { callId: string; localTag: string; remoteTag: string };

export type KeptCall = DialogName & { line: Line; keptMs: number };

/**
 * An exchange that was away goes on with its calls for two minutes, and needs a while to start; one that is there says at
 * once that a call is gone.
 */
export const MOST_AWAY_MS = 150_000;

const CHOICES = "santral-choices";
const callsOf = (who: string) => `santral-calls ${who}`;
const draftsOf = (who: string) => `santral-forms ${who}`;
const tokenOf = (page: string) => `santral-token ${page}`;

/** False where the browser keeps nothing for us: then the token has to stay in the address. */
export function keepToken(page: string, token: string): boolean {
  return write(() => sessionStorage, tokenOf(page), token);
}

export function keptToken(page: string): string | undefined {
  return read(() => sessionStorage, tokenOf(page)) ?? undefined;
}

export function keepCalls(who: string, calls: readonly KeptCall[]): void {
  write(() => localStorage, callsOf(who), JSON.stringify(calls));
}

/** Those that the exchange can still have. */
export function keptCalls(who: string, nowMs: number): KeptCall[] {
  const kept = parsed<KeptCall[]>(read(() => localStorage, callsOf(who))) ?? [];
  return kept.filter(({ keptMs }) => nowMs - keptMs < MOST_AWAY_MS);
}

export function keepDrafts(who: string, drafts: Drafts): void {
  write(() => localStorage, draftsOf(who), JSON.stringify(drafts));
}

export function keptDrafts(who: string): Drafts {
  return parsed<Drafts>(read(() => localStorage, draftsOf(who))) ?? {};
}

export function keepChoices(choices: Choices): void {
  write(() => localStorage, CHOICES, JSON.stringify(choices));
}

const firstChoices: Omit<Choices, "language"> = {
  microphone: "",
  speaker: "",
  ringer: "",
  cleanSound: true,
  ringVolume: 60,
  staysReady: true,
  wasAskedForNotes: false,
};

export function keptChoices(wantedLanguage: string | null): Choices {
  const kept = parsed<Partial<Choices>>(read(() => localStorage, CHOICES));
  const language = languageIn(wantedLanguage ?? kept?.language ?? null, navigator.language) ?? firstLanguage.phone;
  return { ...firstChoices, ...kept, language };
}

function write(storage: () => Storage, name: string, text: string): boolean {
  try {
    storage().setItem(name, text);
    return true;
  } catch {
    return false; // a frame of somebody else's page may be denied any memory
  }
}

function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null; // denied, as above
  }
}

/** Only what this file wrote is read back. */
function parsed<Value>(text: string | null): Value | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined; // somebody else wrote there: as if nothing had been kept
  }
}
