// Sounds made ready for the threads: files read once and shared between them, cadences understood.

import { readFile, stat } from "node:fs/promises";
import type { Sound } from "../engine.ts";
import { parseCadence } from "../tone.ts";
import { readWav, toMono } from "../wav.ts";
import type { Playable } from "./player.ts";

const LARGEST_FILE_BYTES = 100 * 1024 * 1024;
const MOST_CACHED_BYTES = 64 * 1024 * 1024;
const LONGEST_SILENCE_MS = 600_000;

export type SoundShelf = { prepare(sound: Sound): Promise<Playable | undefined> };

export function openSoundShelf(): SoundShelf {
  const cache = new Map<string, Playable & { is: "pcm" }>();
  let cachedBytes = 0;

  const prepare: { [Is in Sound["is"]]: (sound: Sound & { is: Is }) => Promise<Playable | undefined> } = {
    async tone({ spec }) {
      const cadence = parseCadence(spec);
      return cadence && { is: "tone", cadence };
    },
    silence: async ({ ms }) => ({ is: "silence", ms: Math.min(Math.max(0, ms), LONGEST_SILENCE_MS) }),
    file: ({ path }) => fromCache(path),
  };
  return {
    // The handler is chosen by the very field that its sound is narrowed on.
    prepare: (sound) => (prepare[sound.is] as (sound: Sound) => Promise<Playable | undefined>)(sound),
  };

  async function fromCache(path: string): Promise<Playable | undefined> {
    const about = await stat(path).catch(() => undefined);
    if (!about?.isFile() || about.size > LARGEST_FILE_BYTES) return undefined;
    const key = `${path} ${about.mtimeMs} ${about.size}`;
    const known = cache.get(key);
    const sound = known ?? (await readSound(path));
    if (sound) keep(key, sound, known !== undefined);
    return sound;
  }

  /** The least recently played leave first. */
  function keep(key: string, sound: Playable & { is: "pcm" }, wasKnown: boolean): void {
    cache.delete(key);
    cache.set(key, sound);
    if (!wasKnown) cachedBytes += sound.samples.byteLength;
    for (const [oldest, { samples }] of cache) {
      if (cachedBytes <= MOST_CACHED_BYTES) return;
      cache.delete(oldest);
      cachedBytes -= samples.byteLength;
    }
  }
}

async function readSound(path: string): Promise<(Playable & { is: "pcm" }) | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  const wav = bytes && readWav(bytes);
  if (!wav || wav.is === "unreadable") return undefined;
  const mono = toMono(wav);
  const samples = new Int16Array(new SharedArrayBuffer(mono.byteLength));
  samples.set(mono);
  return { is: "pcm", rate: wav.rate, samples };
}
