// Small files that are either the old one or the new one, never half of one, and survive a power cut.

import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

type Options = { mode?: number };

export function writeDurably(path: string, text: string, options: Options = {}): Promise<void> {
  return throughDraft({ path, text, ...options }, async (draft) => {
    await rename(draft, path);
    await syncFolder(dirname(path));
  });
}

/** False when there is something already: that stays as it is, even if it came in this very moment. */
export function createDurably(path: string, text: string, options: Options = {}): Promise<boolean> {
  return throughDraft({ path, text, ...options }, async (draft) => {
    const isTaken = await link(draft, path).then(
      () => false,
      (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? true : Promise.reject(error)),
    );
    await syncFolder(dirname(path));
    return !isTaken;
  });
}

async function throughDraft<Result>(
  { path, text, mode = 0o600 }: Options & { path: string; text: string },
  place: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    const file = await open(draft, "w", mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Names that were made, changed or removed in it are on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
