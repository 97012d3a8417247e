// Parts of a running server: opened in order, closed in reverse order, each only once.

import type { Log } from "../log.ts";

export type Closable = { close(): Promise<void> };

export type Parts = Closable & {
  open<Part extends Closable>(name: string, opening: Part | Promise<Part>): Promise<Part>;
};

export function openParts(log: Log): Parts {
  const opened: { name: string; part: Closable }[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (let last = opened.pop(); last; last = opened.pop()) {
      // One part that cannot be closed must not keep the others, and above all the database, open.
      await last.part
        .close()
        .catch((error: unknown) => log.error({ part: last?.name, error: String(error) }, "not closed cleanly"));
      log.debug({ part: last.name }, "closed");
    }
  };
  return {
    async open(name, opening) {
      const part = await opening;
      opened.push({ name, part });
      log.debug({ part: name }, "open");
      return part;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
