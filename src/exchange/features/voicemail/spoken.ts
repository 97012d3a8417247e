// What a mailbox says to its owner, and the one key it asks him for.

import type { Sound } from "../../../media/engine.ts";
import { USUAL_LANGUAGE } from "../../../speech/language.ts";
import type { Guide } from "../../lead/guide.ts";

/** For a key, once the sentence is over. */
export const KEY_MS = 6_000;

export async function spoken(guide: Guide, text: string): Promise<Sound[]> {
  const sound = await guide.speak(text, USUAL_LANGUAGE);
  return sound ? [sound] : [];
}

export async function say(guide: Guide, text: string, ...after: Sound[]): Promise<void> {
  await guide.attendant().play([...(await spoken(guide, text)), ...after]);
}

/** Empty when no key was pressed in time. */
export async function asked(guide: Guide, text: string): Promise<string> {
  const sounds = await spoken(guide, text);
  const { digits } = await guide.attendant().collect({ sounds, most: 1, firstMs: KEY_MS, betweenMs: KEY_MS });
  return digits;
}
