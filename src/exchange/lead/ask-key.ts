// Asks somebody on the phone for one key: says what there is to say, waits, and has patience with wrong keys and with none.

import type { Sound } from "../../media/engine.ts";
import type { Guide } from "./guide.ts";

export type KeyQuestion = {
  /** A key may come before they are over. */
  sounds: Sound[];
  /** For a key, once the sounds are over. */
  waitMs: number;
  /** How often they are said again after a wrong key or none. */
  retries: number;
  keyTargets: { readonly [key: string]: string };
  timeoutTarget: string | null;
  invalidTarget: string | null;
  /** Pressed already, before anything was said. */
  early?: string | undefined;
  /** Told at once: the person may hang up in the next breath. */
  onWrongKey?(key: string): void;
};

/** `key` is the last one, empty when none was pressed; without a target there is nowhere to go. */
export type KeyAnswer = { key: string; isValid: boolean; target: string | null };

export async function askForKey(guide: Guide, question: KeyQuestion): Promise<KeyAnswer> {
  const { sounds, waitMs, retries, keyTargets, timeoutTarget, invalidTarget } = question;
  const line = guide.attendant();
  let last = "";
  for (let attempt = 0; attempt <= retries; attempt++) {
    const early = attempt === 0 ? question.early : undefined;
    const key = early ?? (await line.collect({ sounds, most: 1, firstMs: waitMs, betweenMs: waitMs })).digits;
    const target = key === "" ? undefined : keyTargets[key];
    guide.call.tell({ is: "presses", key, target: target ?? null });
    if (target) return { key, isValid: true, target };
    if (key !== "") question.onWrongKey?.(key);
    last = key;
  }
  return { key: last, isValid: false, target: last === "" ? timeoutTarget : (invalidTarget ?? timeoutTarget) };
}
