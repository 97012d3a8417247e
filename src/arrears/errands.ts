// Errands: single writes of the most different kinds that must be done, and done once, though the database is away when
// they are asked for. What each is given lies on disk as JSON until then.

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import type { Stream } from "./arrears.ts";
import { openGroupCommit } from "./group-commit.ts";
import { Unwritable } from "./poison.ts";

/** What is done in a transaction, by the name under which it lies on disk: a name stays what it is for ever. */
export type Kinds = Record<string, (db: Db, given: never) => Promise<void>>;

export type Errands<Known extends Kinds> = {
  /** Kept when it is done, or on disk; broken when the database will never take it. */
  run<Name extends keyof Known & string>(name: Name, given: Parameters<Known[Name]>[1]): Promise<void>;
};

export type OpenErrands<Known extends Kinds> = Errands<Known> & {
  /** Kept when nothing is left that an earlier life could not do. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

type Errand = { name: string; given: unknown; done?(): void; failed?(error: unknown): void };

export type ErrandsParts<Known extends Kinds> = {
  db: Db;
  clock: Clock;
  log: Log;
  arrears: Stream;
  kinds: Known;
};

export function openErrands<Known extends Kinds>(parts: ErrandsParts<Known>): OpenErrands<Known> {
  const { kinds, log, arrears } = parts;
  const commits = openGroupCommit<Errand>({
    ...parts,
    gatherMs: 0,
    merge: (_, newer) => newer, // each has a key of its own, in all lives
    async write(db, errands) {
      for (const { name, given } of errands) {
        const act = kinds[name];
        if (!act) throw new Unwritable(`nobody knows what "${name}" is`);
        await act(db, given as never); // what was given under this name
      }
    },
    onWritten: ({ done }) => done?.(),
    onPoisoned({ name, given, failed }, error) {
      log.error({ name, given, error: String(error) }, "what was to be written cannot be");
      failed?.(error);
    },
    aside: {
      stream: arrears,
      pack: ({ name, given }) => ({ name, given }),
      unpack: (packed) => packed as Errand, // what `pack` made
    },
  });
  return {
    run: (name, given) =>
      new Promise((done, failed) => {
        commits.put(randomUUID(), { name, given, done, failed });
      }),
    caughtUp: () => commits.caughtUp(),
    close: () => commits.close(),
  };
}

/** Where there is no disk to go to: done now, or failed. */
export function atOnce<Known extends Kinds>(db: Db, kinds: Known): Errands<Known> {
  return {
    run: (name, given) => db.transaction((db) => kinds[name]!(db, given as never)), // its type says that it is there
  };
}
