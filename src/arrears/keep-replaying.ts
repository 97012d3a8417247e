// Tries again and again to write what lies on disk, until none is left.

import { type Cancel, type Clock, stopwatch } from "../clock.ts";
import { type ReplayParts, replay } from "./replay.ts";

export type Replaying = {
  /** If it is not under way: after so long for the first time. */
  begin(afterMs: number): void;
  /** Kept when nothing lies there any more. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
};

const LONGEST_WAIT_MS = 2_000;
const SHORTEST_WAIT_MS = 250;
/** At a stop, for a database that is about to answer. */
const LAST_CHANCE_MS = 1_000;

export function keepReplaying<Entry>(parts: ReplayParts<Entry> & { clock: Clock }): Replaying {
  const { clock, log, stream } = parts;
  let going: Promise<void> | undefined;
  let isStopped = false;
  let wake: () => void = () => undefined;
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel: Cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const isLeft = () => stream.state().bytes > 0;
  const begin = (afterMs: number) => {
    going ??= go(afterMs).finally(() => {
      going = undefined;
      if (isLeft() && !isStopped) begin(0); // it came while the last was written
    });
  };
  return {
    begin,
    async caughtUp() {
      while (going && !isStopped) await going;
    },
    async stop() {
      isStopped = true;
      wake();
      if (going) await Promise.race([going, wait(LAST_CHANCE_MS)]);
      wake();
      if (isLeft())
        log.warn(
          { stream: stream.name, entries: stream.state().entries },
          "what lies on disk is written at the next start",
        );
    },
  };

  async function go(afterMs: number): Promise<void> {
    const tookMs = stopwatch(clock);
    if (afterMs > 0) await wait(afterMs);
    for (let waitMs = SHORTEST_WAIT_MS; !isStopped; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
      const { damaged } = stream.state();
      const failure = await replay(parts, () => isStopped).catch((error: unknown) => error ?? "unknown");
      if (failure === undefined && !isLeft()) return tell(tookMs(), damaged);
      log.debug({ stream: stream.name, error: String(failure) }, "what lies on disk could not be written yet");
      if (!isStopped) await wait(waitMs);
    }
  }

  function tell(tookMs: number, damaged: number): void {
    const seconds = Math.round(tookMs / 1_000);
    log.warn({ stream: stream.name, seconds }, "what lay on disk is in the database");
    if (damaged > 0)
      log.error(
        { stream: stream.name, lines: damaged },
        "lines on disk were damaged, and are lost; the file is put aside",
      );
  }
}
