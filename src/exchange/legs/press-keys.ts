// Presses keys at a party's phone, in the form it has: events in its voice, INFO, or tones.

import type { MediaEngine } from "../../media/engine.ts";
import type { DialogSide } from "./dialog-side.ts";
import { keyInfo } from "./key-info.ts";
import type { MediaSide } from "./media-side.ts";

type Phone = { engine: MediaEngine; media: MediaSide; dialog: DialogSide | undefined };

export async function pressKeys({ engine, media, dialog }: Phone, digits: string): Promise<void> {
  const stream = media.stream();
  if (stream === undefined) return;
  if (!media.keysGoAside()) return engine.sendDigits(stream, digits);
  for (const digit of digits) {
    const outcome = await dialog?.ask("INFO", keyInfo(digit));
    const isRefused = outcome !== undefined && "response" in outcome && outcome.response.status >= 300;
    // It names INFO among what it knows, and does not know keys in it: from now on it gets tones.
    if (isRefused && (await media.keepKeysInVoice())) await engine.sendDigits(stream, digit);
  }
}
