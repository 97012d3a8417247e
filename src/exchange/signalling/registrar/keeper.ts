// Writes bindings down: everything that changed in a moment in one commit, and whoever waits for it is told after it.

import { type Clock, LONG_AGO, later, type Ticks, until, within } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Db } from "../../../store/db.ts";
import { NotOwner } from "../../../store/fences.ts";
import { removeRegistrations, saveRegistrations } from "../../../store/registrations.ts";
import { type Binding, storedForm } from "./binding.ts";

export type Keeper = {
  /** Answers whether it was written; a database that is away is told to the phone, which tries again. */
  keep(changes: { saved: readonly Binding[]; removed: readonly Binding[] }, done: (kept: boolean) => void): void;
  /** For what only prolongs a binding: lost in a crash, the row still stands with its older expiry and some grace. */
  keepLater(prolonged: Binding[]): void;
  close(): Promise<void>;
};

/** Commits begin no closer than this: alone a phone waits for nothing, under load hundreds share one. */
const BETWEEN_COMMITS_MS = 20;

/** Prolonged bindings wait this long for company. `GRACE_MS` after a restart is a little more. */
const PROLONGED_WAIT_MS = 2_000;
export const GRACE_MS = 5_000;

type Change = { binding: Binding; gone: boolean };

export function openKeeper({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Keeper {
  let changes = new Map<string, Change>();
  let waiting: ((kept: boolean) => void)[] = [];
  let writing: Promise<void> | undefined;
  let lastBegan = LONG_AGO;
  let planned: { at: Ticks; cancel: () => void } | undefined;
  let closed = false;

  return { keep, keepLater, close };

  function keep(
    { saved, removed }: { saved: readonly Binding[]; removed: readonly Binding[] },
    done: (kept: boolean) => void,
  ): void {
    for (const binding of removed) note(binding, true);
    for (const binding of saved) note(binding, false);
    waiting.push(done);
    writeAt(later(lastBegan, BETWEEN_COMMITS_MS));
  }

  function keepLater(prolonged: Binding[]): void {
    for (const binding of prolonged) note(binding, false);
    if (prolonged.length > 0) writeAt(within(clock, PROLONGED_WAIT_MS));
  }

  function note(binding: Binding, gone: boolean): void {
    changes.set(`${binding.extensionId} ${binding.key}`, { binding, gone });
  }

  function writeAt(at: Ticks): void {
    if (writing || closed || (planned && planned.at <= at)) return;
    planned?.cancel();
    planned = { at, cancel: clock.after(Math.max(0, until(clock, at)), write) };
  }

  function write(): void {
    planned = undefined;
    lastBegan = clock.ticks();
    const batch = changes;
    const told = waiting;
    changes = new Map();
    waiting = [];
    writing = writeAll([...batch.values()]).then((kept) => {
      writing = undefined;
      for (const tell of told) tell(kept);
      if (waiting.length > 0) writeAt(later(lastBegan, BETWEEN_COMMITS_MS));
      else if (changes.size > 0) writeAt(within(clock, PROLONGED_WAIT_MS));
    });
  }

  async function writeAll(batch: Change[]): Promise<boolean> {
    try {
      await removeRegistrations(
        db,
        batch.filter(({ gone }) => gone).map(({ binding }) => keyOf(binding)),
      );
      await saveRegistrations(
        db,
        batch.filter(({ gone }) => !gone).map(({ binding }) => storedForm(binding, clock)),
      );
      return true;
    } catch (error) {
      if (batch.length > 1 && isAboutRows(error)) return writeOneByOne(batch);
      log.error({ error: String(error), bindings: batch.length }, "registrations could not be written");
      return false;
    }
  }

  // An extension deleted this very moment must not take the others' registrations with it.
  async function writeOneByOne(batch: Change[]): Promise<boolean> {
    for (const change of batch) await writeAll([change]);
    return true;
  }

  async function close(): Promise<void> {
    closed = true;
    planned?.cancel();
    await writing;
    if (changes.size > 0 || waiting.length > 0) write();
    await writing;
  }
}

const keyOf = ({ extensionId, key }: Binding) => ({ extensionId, key });

/** Classes 22 and 23, or an exchange that lives elsewhere: the server is well, it is a row that it does not take. */
function isAboutRows(error: unknown): boolean {
  if (error instanceof NotOwner) return true;
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}
