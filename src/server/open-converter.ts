// What turns sounds into other sounds in a server: threads of our own for recordings, programs for the rest. The thread
// that starts programs does so for whoever needs one, and files of strangers are read in others.

import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Registry } from "prom-client";
import type { Clock } from "../clock.ts";
import { compressionsAtOnce } from "../exchange/recordings/compress.ts";
import type { OpenTurns } from "../fair-turns.ts";
import type { Log } from "../log.ts";
import { openCoder } from "../media/coding/coder.ts";
import { type Converter, openConverter } from "../media/convert.ts";
import type { RunProgram } from "../programs/program.ts";
import { openPrograms, type Programs } from "../programs/programs.ts";
import { openReaders } from "../readers/readers.ts";
import type { Readers } from "../readers/task.ts";
import { countTurns } from "./fair-metrics.ts";

const GIBIBYTE = 1024 ** 3;

/**
 * What strangers may send is opened by so many programs at once, one an exchange. Each may take more than a GiB, and a
 * minute or two: two at least, so that nobody waits for one that takes for ever.
 */
export function strangersAtOnce(memory = totalmem()): number {
  return Math.max(2, Math.min(4, Math.floor(memory / (2 * GIBIBYTE))));
}

export type Conversions = {
  means: { converter: Converter; runProgram: RunProgram; readers: Readers; openTurns: OpenTurns };
  confinement: Programs["confinement"];
  close(): Promise<void>;
};

type ConversionNeeds = { clock: Clock; log: Log; folder: { path: string }; registry: Registry };

export function openConversions({ clock, log, folder, registry }: ConversionNeeds): Conversions {
  const openTurns = countTurns(registry);
  const threads = compressionsAtOnce(availableParallelism());
  const beside = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
  const coder = openCoder({ clock, log, workerPath: beside("recording-coder.js"), threads });
  const programs = openPrograms({ clock, log, workerPath: beside("programs.js"), folder: folder.path });
  const runProgram = programs.run;
  const parts = { clock, runProgram, coder, openTurns, recordingsAtOnce: threads };
  const readers = openReaders({ clock, log, workerPath: beside("file-reader.js"), openTurns });
  return {
    means: { runProgram, readers, openTurns, converter: openConverter({ ...parts, atOnce: strangersAtOnce() }) },
    confinement: programs.confinement,
    async close() {
      await Promise.all([coder.close(), programs.close(), readers.close()]);
    },
  };
}
