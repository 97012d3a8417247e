// PORT: a voice turns text into a sound file. Two stand behind it: espeak-ng on this machine, and any HTTP service.

import { createHash } from "node:crypto";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
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
  /** The file in which the text is spoken; undefined when no voice could. */
  say(text: string, language: Language, speed?: number): Promise<string | undefined>;
};

const LONGEST_TEXT = 2_000;

/** What was said once is kept by its content, so that a thousand calls cost one reading. */
export function openSpeech({ folder, voices }: { folder: string; voices: Voice[] }): Speech {
  const speaking = new Map<string, Promise<string | undefined>>();
  return {
    say(text, language, speed = 1) {
      const asked = { text: spokenText(text.slice(0, LONGEST_TEXT), language), language, speed };
      const key = keyOf(asked, voices);
      const now = speaking.get(key) ?? speak({ ...asked, folder, voices, key }).finally(() => speaking.delete(key));
      speaking.set(key, now);
      return now;
    },
  };
}

type Wanted = Omit<SpeakRequest, "path"> & { folder: string; voices: Voice[]; key: string };

async function speak({ folder, voices, key, ...asked }: Wanted): Promise<string | undefined> {
  const path = join(folder, `${key}.wav`);
  if (await exists(path)) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${key}.draft.wav`);
  for (const voice of voices) {
    if (!(await voice.speak({ ...asked, path: draft }))) continue;
    await rename(draft, path); // whole or not at all
    return path;
  }
  await rm(draft, { force: true });
  return undefined;
}

function keyOf({ text, language, speed }: Omit<SpeakRequest, "path">, voices: Voice[]): string {
  const content = JSON.stringify([voices.map(({ name }) => name), language, speed, text]);
  return createHash("sha256").update(content).digest("hex").slice(0, 40);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
