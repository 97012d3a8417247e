// What has been spoken, kept by its content: whoever had it spoken first has it on his account, and of an exchange that has
// too much, what was not played for longest goes. Otherwise ever new sentences of one would fill everybody's disk.

import { access, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, since, type Ticks } from "../clock.ts";

export type KeptSentences = {
  /** The file, which counts as used. */
  find(key: string): Promise<string | undefined>;
  /** Where it is to be written first. */
  draft(key: string): Promise<string>;
  /** It is written: whole or not at all. */
  keep(key: string, whose: number): Promise<string>;
  drop(key: string): Promise<void>;
};

export type KeptOptions = { folder: string; clock: Clock; bytesOfOne?: number | undefined };

/** Hours of speech; more than is played at once however many are called. */
const BYTES_OF_ONE = 512 * 1024 ** 2;
/** Files that are looked at when all begins. */
const AT_ONCE = 32;
const DAY_MS = 86_400_000;
/** `<key>.wav` and `<key>.<exchange>.wav`; without a number it is of a time when nobody was asked, and nobody's. */
const FILE = /^([0-9a-f]{40})(?:\.(\d+))?\.wav$/;

type Kept = { name: string; whose: number; bytes: number; marked: Ticks | undefined };

export function keepSentences({ folder, clock, bytesOfOne = BYTES_OF_ONE }: KeptOptions): KeptSentences {
  const shelf = openShelf(bytesOfOne);
  const draftOf = (key: string) => join(folder, `${key}.draft.wav`);
  const load = async () => {
    for (const { key, kept } of await keptIn(folder)) await drop(shelf.add(key, kept));
  };
  const loaded = load(); // it may take a while, and the first caller need not wait for it

  return {
    async find(key) {
      await loaded;
      const kept = shelf.use(key);
      if (!kept) return undefined;
      const path = join(folder, kept.name);
      if (await exists(path)) mark(kept, path);
      else shelf.forget(key);
      return shelf.use(key) && path;
    },
    async draft(key) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return draftOf(key);
    },
    async keep(key, whose) {
      const draft = draftOf(key);
      const kept = { name: `${key}.${whose}.wav`, whose, bytes: (await stat(draft)).size, marked: clock.ticks() };
      await rename(draft, join(folder, kept.name));
      await drop(shelf.add(key, kept));
      return join(folder, kept.name);
    },
    drop: (key) => rm(draftOf(key), { force: true }),
  };

  /** For the next start, which knows no more than the disk does. */
  function mark(kept: Kept, path: string): void {
    if (kept.marked !== undefined && since(clock, kept.marked) < DAY_MS) return;
    kept.marked = clock.ticks();
    const now = new Date(clock.wall());
    void utimes(path, now, now).catch(() => undefined); // it went meanwhile
  }

  async function drop(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Those of one in the order in which they were used. */
type Account = { bytes: number; keys: Set<string> };

function openShelf(bytesOfOne: number) {
  const known = new Map<string, Kept>();
  const accounts = new Map<number, Account>();

  return {
    forget,
    use(key: string): Kept | undefined {
      const kept = known.get(key);
      const keys = kept && accounts.get(kept.whose)?.keys;
      keys?.delete(key);
      keys?.add(key);
      return kept;
    },
    /** Names of those that have to go for it. */
    add(key: string, kept: Kept): string[] {
      const before = forget(key);
      const account = accounts.get(kept.whose) ?? { bytes: 0, keys: new Set() };
      account.bytes += kept.bytes;
      account.keys.add(key);
      accounts.set(kept.whose, account);
      known.set(key, kept);
      const gone = before && before.name !== kept.name ? [before.name] : [];
      for (const oldest of account.keys) {
        if (account.bytes <= bytesOfOne || oldest === key) break;
        gone.push(forget(oldest)!.name); // those of an account are known
      }
      return gone;
    },
  };

  function forget(key: string): Kept | undefined {
    const kept = known.get(key);
    const account = kept && accounts.get(kept.whose);
    known.delete(key);
    if (!account) return undefined;
    account.bytes -= kept.bytes;
    account.keys.delete(key);
    if (account.keys.size === 0) accounts.delete(kept.whose);
    return kept;
  }
}

/** What lies there, that which was not used for longest first. */
async function keptIn(folder: string): Promise<{ key: string; kept: Kept }[]> {
  const names = await readdir(folder).catch(() => []);
  const found = [];
  for (let at = 0; at < names.length; at += AT_ONCE)
    found.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map((name) => lookAt(folder, name)))));
  return found.filter((it) => it !== undefined).sort((one, other) => one.usedMs - other.usedMs);
}

async function lookAt(folder: string, name: string): Promise<{ key: string; kept: Kept; usedMs: number } | undefined> {
  const [, key, whose = 0] = FILE.exec(name) ?? [];
  const path = join(folder, name);
  if (name.endsWith(".draft.wav")) await rm(path, { force: true }).catch(() => undefined); // an end cut it off
  const is = key === undefined ? undefined : await stat(path).catch(() => undefined);
  if (key === undefined || !is) return undefined;
  return { key, kept: { name, whose: Number(whose), bytes: is.size, marked: undefined }, usedMs: is.mtimeMs };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
