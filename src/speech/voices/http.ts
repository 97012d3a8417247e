// A better voice somewhere else: POST of the text as JSON, a WAV file back.

import { writeFile } from "node:fs/promises";
import type { Voice } from "../tts.ts";

const LIMIT_MS = 15_000;
const LARGEST_FILE = 20 * 1024 * 1024;

export function httpVoice(url: string): Voice {
  return {
    name: `http ${url}`,
    async speak({ text, language, speed, path }) {
      const sound = await fetchSound(url, JSON.stringify({ text, language, speed }));
      if (!sound) return false;
      await writeFile(path, sound, { mode: 0o600 });
      return true;
    },
  };
}

async function fetchSound(url: string, body: string): Promise<Uint8Array | undefined> {
  try {
    const headers = { "content-type": "application/json", accept: "audio/wav" };
    const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(LIMIT_MS) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const isWav = bytes.length <= LARGEST_FILE && String.fromCharCode(...bytes.subarray(0, 4)) === "RIFF";
    return answer.ok && isWav ? bytes : undefined;
  } catch {
    return undefined; // away or too slow: the next voice speaks
  }
}
