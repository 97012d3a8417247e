// One call as the browser has it; a line is what the owner sees of it.

import type { RTCSession } from "jssip/lib/RTCSession";
import type { DialogName, KeptCall } from "./keep.ts";
import type { LineBoard } from "./line-board.ts";
import type { Line } from "./lines.ts";
import { qualityOf, type Reception } from "./quality.ts";
import type { Returns } from "./returns.ts";

export type Up = {
  session: RTCSession;
  microphone: MediaStream | undefined;
  /** One click is enough. */
  isAnswering?: boolean;
  dialog?: DialogName;
  reception?: Reception;
};

/** The exchange has hung it up already, or does so now; its end concerns nobody. */
export function drop({ session, microphone }: Up): void {
  release(microphone);
  try {
    if (!session.isEnded()) session.terminate();
  } catch {
    // It ended in the meantime.
  }
}

/** Otherwise the browser goes on showing that somebody listens. */
export function release(microphone: MediaStream | undefined): void {
  for (const track of microphone?.getTracks() ?? []) track.stop();
}

/** What the next page can come back to. */
export function worthKeeping(lines: readonly Line[], ups: ReadonlyMap<string, Up>, returns: Returns): KeptCall[] {
  return lines.flatMap((line) => {
    const gone = returns.find(line.id);
    const dialog = gone?.dialog ?? ups.get(line.id)?.dialog;
    return dialog ? [{ ...dialog, line, keptMs: gone?.goneMs ?? Date.now() }] : [];
  });
}

/** Of those that talk, on their lines. */
export function showQuality(ups: ReadonlyMap<string, Up>, board: LineBoard): void {
  for (const [id, up] of ups) {
    if (board.find(id)?.at !== "talking") continue;
    void qualityOf(up).then((quality) => {
      const before = board.find(id)?.quality;
      if (quality !== undefined && before !== undefined && before !== quality) board.change(id, { quality });
    });
  }
}
