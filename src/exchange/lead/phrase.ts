// A phrase as sounds: recordings by their number, everything else spoken in its language.

import type { Sound } from "../../media/engine.ts";
import { readPhrase } from "../../speech/phrase.ts";
import type { Language } from "../plan/target.ts";
import type { Guide } from "./guide.ts";

export type Phrase = { phrase: string; language: Language; speed?: number };

/** What cannot be found or spoken is left out. */
export async function soundsOfPhrase(guide: Guide, { phrase, language, speed = 1 }: Phrase): Promise<Sound[]> {
  const pieces = readPhrase(phrase, language).map((piece) =>
    "play" in piece ? guide.sound(piece.play) : guide.speak(piece.say, language, speed),
  );
  return (await Promise.all(pieces)).filter((it) => it !== undefined);
}
