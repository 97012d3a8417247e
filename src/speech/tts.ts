// PORT: a voice turns text into a sound file. Two stand behind it: espeak-ng on this machine, and any HTTP service.

import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import { type FairTurns, type OpenTurns, uncounted } from "../fair-turns.ts";
import { type KeptSentences, keepSentences } from "./kept-sentences.ts";
import type { Language } from "./language.ts";
import { spokenText } from "./phrase.ts";

export type Voice = {
  /** Part of the cache's key: another voice is another file. */
  name: string;
  /** Writes a WAV file; false when it cannot speak now. */
  speak(request: SpeakRequest): Promise<boolean>;
};

/** `speed` 1 is the voice's own; half and one and a half are the ends. */
export type SpeakRequest = { text: string; language: Language; speed: number; path: string };

export type Speech = {
  /** The file in which the text is spoken, for an exchange in its turn; undefined when no voice could, or too much waits. */
  say(exchangeId: number, text: string, language: Language, speed?: number): Promise<string | undefined>;
};

const LONGEST_TEXT = 2_000;
/** Sentences that are being spoken, each by a program for some tens of milliseconds; callers wait for them. */
const AT_ONCE = 8;
const AT_ONCE_OF_ONE = 4;

export type SpeechOptions = {
  folder: string;
  voices: Voice[];
  clock: Clock;
  openTurns?: OpenTurns | undefined;
  /** Spoken sentences of one exchange that are kept. */
  bytesOfOne?: number;
};

/** What was said once is kept by its content, so that a thousand calls cost one reading. */
export function openSpeech({ folder, voices, clock, openTurns = uncounted, bytesOfOne }: SpeechOptions): Speech {
  const kept = keepSentences({ folder, clock, bytesOfOne });
  const turns = openTurns("sentences", { atOnce: AT_ONCE, ofOne: AT_ONCE_OF_ONE });
  const speaking = new Map<string, Promise<string | undefined>>();
  return {
    say(exchangeId, text, language, speed = 1) {
      const asked = { text: spokenText(text.slice(0, LONGEST_TEXT), language), language, speed };
      const key = keyOf(asked, voices);
      const wanted = { ...asked, kept, voices, key, turns, whose: exchangeId };
      const now = speaking.get(key) ?? speak(wanted).finally(() => speaking.delete(key));
      speaking.set(key, now);
      return now;
    },
  };
}

type Wanted = Omit<SpeakRequest, "path"> & {
  kept: KeptSentences;
  voices: Voice[];
  key: string;
  turns: FairTurns;
  whose: number;
};

async function speak({ kept, voices, key, turns, whose, ...asked }: Wanted): Promise<string | undefined> {
  const before = await kept.find(key);
  if (before !== undefined) return before;
  const path = await kept.draft(key);
  const spoken = await turns.take({ whose }, async () => {
    for (const voice of voices) if (await voice.speak({ ...asked, path })) return true;
    return false;
  });
  if (spoken === true) return kept.keep(key, whose);
  await kept.drop(key);
  return undefined;
}

function keyOf({ text, language, speed }: Omit<SpeakRequest, "path">, voices: Voice[]): string {
  const content = JSON.stringify([voices.map(({ name }) => name), language, speed, text]);
  return createHash("sha256").update(content).digest("hex").slice(0, 40);
}
