// Small files that are either the old one or the new one, never half of one, and survive a power cut.

import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export async function writeDurably(path: string, text: string, { mode = 0o600 } = {}): Promise<void> {
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
    await rename(draft, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
