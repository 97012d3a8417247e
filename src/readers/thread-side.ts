// The side of the thread: it has one task, and makes its next piece when it is asked for one.

import type { MessagePort } from "node:worker_threads";
import type { Task } from "./task.ts";

export type ToReader = { is: "begin"; task: string; given: unknown } | { is: "next" };
export type FromReader = { is: "piece"; piece: unknown } | { is: "end" } | { is: "failed"; error: string };

// Whoever asks knows what a task takes and makes.
type AnyTask = Task<never, unknown>;

/** Bytes in a piece go over without being copied, where it says which. */
export type WithBytes = { transfer?: readonly ArrayBuffer[] };

export function serveReading(main: MessagePort, tasks: readonly AnyTask[]): void {
  let pieces: AsyncIterator<unknown> | undefined;
  const tell = (message: FromReader, transfer: readonly ArrayBuffer[] = []) => main.postMessage(message, [...transfer]);
  main.on("message", (message: ToReader) => {
    if (message.is === "begin") {
      const task = tasks.find(({ name }) => name === message.task);
      if (!task) return tell({ is: "failed", error: `no such task: ${message.task}` });
      pieces = task.read(message.given as never)[Symbol.asyncIterator]();
    }
    pieces?.next().then(
      ({ value, done }) => {
        if (done) return tell({ is: "end" });
        const { transfer } = value as WithBytes;
        tell({ is: "piece", piece: value }, transfer);
      },
      (error: unknown) =>
        tell({ is: "failed", error: String(error instanceof Error ? (error.stack ?? error) : error) }),
    );
  });
}
