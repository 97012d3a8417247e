// What turns sounds into other sounds in a server: threads of our own for recordings, programs for the rest. The thread
// that starts programs does so for whoever needs one.

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Clock } from "../clock.ts";
import { compressionsAtOnce } from "../exchange/recordings/compress.ts";
import type { Log } from "../log.ts";
import { openCoder } from "../media/coding/coder.ts";
import { type Converter, openConverter } from "../media/convert.ts";
import type { RunProgram } from "../programs/program.ts";
import { openPrograms } from "../programs/programs.ts";

export type Conversions = { means: { converter: Converter; runProgram: RunProgram }; close(): Promise<void> };

export function openConversions({ clock, log }: { clock: Clock; log: Log }): Conversions {
  const threads = compressionsAtOnce(availableParallelism());
  const beside = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
  const coder = openCoder({ clock, log, workerPath: beside("recording-coder.js"), threads });
  const programs = openPrograms({ clock, workerPath: beside("programs.js") });
  const runProgram = programs.run;
  return {
    means: { runProgram, converter: openConverter({ clock, runProgram, coder, recordingsAtOnce: threads }) },
    async close() {
      await Promise.all([coder.close(), programs.close()]);
    },
  };
}
