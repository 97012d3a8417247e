// What a mailbox says to its owner, in its language, and the one key it asks him for.

import type { Sound } from "../../../media/engine.ts";
import { type Language, languages, USUAL_LANGUAGE } from "../../../speech/language.ts";
import type { Mailbox } from "../../../store/mailboxes.ts";
import type { Guide } from "../../lead/guide.ts";
import { type Sentences, sentences } from "./sentences.ts";

/** For a key, once the sentence is over. */
export const KEY_MS = 6_000;

/** Which of the sentences. */
type Which = (sentences: Sentences) => string;

export function languageOf({ greetingLanguage }: Mailbox): Language {
  return languages.find((it) => it === greetingLanguage) ?? USUAL_LANGUAGE;
}

export async function spoken(guide: Guide, mailbox: Mailbox, which: Which): Promise<Sound[]> {
  const language = languageOf(mailbox);
  const sound = await guide.speak(which(sentences[language]), language);
  return sound ? [sound] : [];
}

export async function say(guide: Guide, mailbox: Mailbox, which: Which, ...after: Sound[]): Promise<void> {
  await guide.attendant().play([...(await spoken(guide, mailbox, which)), ...after]);
}

/** Empty when no key was pressed in time. */
export async function asked(guide: Guide, mailbox: Mailbox, which: Which): Promise<string> {
  const sounds = await spoken(guide, mailbox, which);
  const { digits } = await guide.attendant().collect({ sounds, most: 1, firstMs: KEY_MS, betweenMs: KEY_MS });
  return digits;
}
