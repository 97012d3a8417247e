// Parts of a running server: opened in order, closed in reverse order, each only once.

import type { Log } from "../log.ts";

/**
 * What is to become of the calls that are up: kept for the next process, waited for, or ended.
 * `again`: the next process is started at once by whoever started this one.
 */
export type Stop = { calls: "handOver" | "drain" | "cut"; again?: boolean };

export type Closable = { close(stop?: Stop): Promise<void> };

export type Parts = {
  open<Part extends Closable>(name: string, opening: Part | Promise<Part>): Promise<Part>;
  close(stop: Stop): Promise<void>;
};

export function openParts(log: Log): Parts {
  const opened: { name: string; part: Closable }[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async (stop: Stop): Promise<void> => {
    for (let last = opened.pop(); last; last = opened.pop()) {
      // One part that cannot be closed must not keep the others, and above all the database, open.
      await last.part
        .close(stop)
        .catch((error: unknown) => log.error({ part: last?.name, error: String(error) }, "not closed cleanly"));
      log.debug({ part: last.name }, "closed");
    }
  };
  return {
    async open(name, opening) {
      const part = await opening;
      opened.push({ name, part });
      log.debug({ part: name, atMs: Math.round(performance.now()) }, "open"); // since the process began
      return part;
    },
    close(stop) {
      closing ??= closeAll(stop);
      return closing;
    },
  };
}
