// The folder in which a run of the tests makes its own: in memory, where there is room. Each town has a database of its own,
// and what is written to a disk, made safe there and deleted again a minute later is most of what those would wait for.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = /^santral-(\d+)$/;
/** All that lies there at one time is some hundred megabytes; the rest is for what the longer forms of tests keep. */
const ROOM_BYTES = 6 * 1024 ** 3;

/** From now on it is where whatever this process starts keeps its passing files. */
export function useMemoryFolder(): { remove(): void } {
  const chosen = process.env.TMPDIR;
  if (chosen !== undefined || !hasRoom()) return { remove: () => undefined };
  clearOld();
  const folder = join(MEMORY, `santral-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777); // as the usual one: some programs run as somebody else
  process.env.TMPDIR = folder;
  return {
    remove() {
      delete process.env.TMPDIR;
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/** Of runs that were killed. */
function clearOld(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
