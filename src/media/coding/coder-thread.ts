// Entry of a thread that codes recordings: batches of files come in, what became of each goes back. The kernel lets it run
// when hardly anybody else wants the processor.

import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { type CodedFile, codeRecording, openBench } from "./code-recording.ts";
import { hasLame } from "./lame.ts";

export type ToCoder = { files: { input: string; output: string }[] };

export type FromCoder =
  | { is: "ready"; canCode: boolean }
  /** In the order in which they came; more may follow. */
  | { is: "done"; results: Coded[] };

export type Coded = CodedFile | { is: "failed"; why: string };

/** Whoever waits for a short one does not wait for a long one behind it too. */
const TELL_MS = 1_000;

const main = parentPort;
if (!main) throw new Error("this file is started as a thread");
const canCode = hasLame();
const bench = openBench();
standBehind();
main.on("message", ({ files }: ToCoder) => work(files));
tell({ is: "ready", canCode });

function work(files: ToCoder["files"]): void {
  let results: Coded[] = [];
  let toldMs = performance.now();
  for (const file of files) {
    results.push(code(file));
    if (performance.now() - toldMs < TELL_MS) continue;
    tell({ is: "done", results });
    results = [];
    toldMs = performance.now();
  }
  if (results.length > 0) tell({ is: "done", results });
}

function code(file: { input: string; output: string }): Coded {
  try {
    return codeRecording(file, bench);
  } catch (error) {
    return { is: "failed", why: String(error) };
  }
}

/**
 * On Linux this is said of the calling thread alone. Not SCHED_IDLE: whoever holds a lock for a moment must come to let it
 * go, however busy the machine is.
 */
function standBehind(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // It codes all the same.
  }
}

function tell(message: FromCoder): void {
  main?.postMessage(message);
}
