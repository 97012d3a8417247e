// What somebody with a phone at his ear does: waits for a tone, and presses a key until it was taken.

import { eventually } from "../ground/eventually.ts";
import { talking } from "../town/call-story.ts";
import { CLEAR } from "../town/real-town.ts";
import type { RtpPhone } from "./rtp-phone.ts";
import { toneLevel } from "./tone-level.ts";

/** A fifth of a second at the telephone's rate. */
const WINDOW = 1_600;

/** Once the tone was heard for a moment. What was heard until then is forgotten, and nothing after it: a listener who
 *  was asleep for a while may already have heard what comes next. */
export async function heard(voice: RtpPhone, hz: number): Promise<void> {
  await eventually(`hears ${hz} Hz`, async () => {
    const samples = voice.heardSamples();
    for (let from = 0; from + WINDOW <= samples.length; from += WINDOW / 2) {
      if (toneLevel(samples.subarray(from, from + WINDOW), hz, 8_000) <= CLEAR) continue;
      voice.forget(from + WINDOW);
      return true;
    }
    return false;
  });
}

/** What was ended by a key too soon to be a message is asked for anew, and is one if it is left alone for so long. */
const BETWEEN_KEYS_MS = 5_000;

/** A key may be pressed before anybody waits for it: then again, until it has done what it should. */
export async function keyPressed(voice: RtpPhone, key: string, until: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = until.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await voice.press(key);
    await Promise.race([done, talking(BETWEEN_KEYS_MS)]);
  }
}
