// Recordings to hear in a demo: one real sound on the disk, given to each call by a name of its own.

import { link, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SAMPLE_RATE, waitingMusic } from "../first-run/melody.ts";
import { wavHeader } from "../media/wav.ts";
import { shardedPath } from "../objects/objects.ts";

/** More names than this for one file are refused by some file systems. */
const MOST_NAMES = 30_000;

/** Links and not copies: a name can be deleted like any recording, and a thousand of them take no room. */
export function demoRecordings(objectsFolder: string): (uuid: string) => Promise<string> {
  let names = 0;
  let original = "";
  return async (uuid) => {
    const key = `recordings/${uuid}.wav`;
    const path = join(objectsFolder, shardedPath(key));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (original === "" || names++ % MOST_NAMES === 0) {
      await writeFile(path, sound(), { mode: 0o600 });
      original = path;
    } else if (!(await tryLink(original, path))) await writeFile(path, sound(), { mode: 0o600 });
    return key;
  };
}

async function tryLink(original: string, path: string): Promise<boolean> {
  try {
    await link(original, path);
    return true;
  } catch (error) {
    // Made by a run that was cut off, or a file system without links.
    return error instanceof Error && "code" in error && error.code === "EEXIST";
  }
}

function sound(): Uint8Array {
  const samples = waitingMusic().subarray(0, SAMPLE_RATE * 12);
  const header = wavHeader({ rate: SAMPLE_RATE, channels: 1, dataBytes: samples.byteLength });
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}
