// Writes batches straight into the database; from the first that fails or takes too long, everything goes to our own disk
// until all that lies there is in the database.

import { randomUUID } from "node:crypto";
import { pause } from "../clock.ts";
import type { Db } from "../store/db.ts";
import { lastBatch, noteBatch, type WrittenBatch } from "../store/written-batches.ts";
import type { Stream } from "./arrears.ts";
import { type Batch, type BatchWriter, BETWEEN_TRIES_MS, type WriterParts } from "./batch-writer.ts";
import { keepReplaying, type Replaying } from "./keep-replaying.ts";
import { isPoison } from "./poison.ts";
import { Moved } from "./replay.ts";

export type Aside<Entry> = {
  stream: Stream;
  /** As JSON has it; undefined: there is nothing to keep of it. */
  pack(entry: Entry): unknown;
  unpack(packed: unknown): Entry;
};

/** A database that has not written by then may never do so; on our own disk it is safe. */
const LONG_TRY_MS = 2_000;

type Tried = { is: "written" } | { is: "poisoned" | "away"; error: unknown };

export class DiskWriter<Entry> implements BatchWriter<Entry> {
  readonly #parts: WriterParts<Entry>;
  readonly #aside: Aside<Entry>;
  readonly #replaying: Replaying;
  readonly #life = randomUUID();
  #batches = 0;
  /** What the database has of this stream, as far as we know. */
  #last: WrittenBatch | "unknown" | undefined = "unknown";

  constructor(parts: WriterParts<Entry>, aside: Aside<Entry>) {
    this.#parts = parts;
    this.#aside = aside;
    this.#replaying = keepReplaying({ ...parts, ...aside });
    if (this.isAside()) this.#replaying.begin(0);
  }

  isAside(): boolean {
    return this.#aside.stream.state().bytes > 0;
  }

  caughtUp(): Promise<void> {
    return this.#replaying.caughtUp();
  }

  close(): Promise<void> {
    return this.#replaying.stop();
  }

  async write(batch: Batch<Entry>): Promise<void> {
    this.#batches += 1;
    const id = { life: this.#life, batch: this.#batches };
    const tried = this.isAside() ? undefined : await this.#tryOnce(id, batch);
    if (tried?.is === "poisoned") return this.#findPoison(batch, tried.error);
    if (tried?.is !== "written") {
      if (tried) this.#tell("the database cannot be written: what is owed goes to disk", tried.error);
      await this.#setAside(id, batch);
    }
    for (const [, entry] of batch) this.#parts.onWritten(entry);
  }

  /** An outcome that comes too late is found in the database, by the id of the batch. */
  async #tryOnce(id: WrittenBatch, batch: Batch<Entry>): Promise<Tried> {
    const { db, clock } = this.#parts;
    let isGivenUp = false;
    const tried = db
      .transaction(async (db) => {
        const after = this.#last === "unknown" ? await lastBatch(db, this.#aside.stream.name) : this.#last;
        // Whoever gets so far only now must not build on what others have written since.
        if (isGivenUp) throw new Moved();
        await this.#writeAfter(after, db, { id, batch });
        // What it read of our own memory on the way may be of before or after; on disk it is whole.
        if (isGivenUp) throw new Moved();
      })
      .then<Tried, Tried>(
        () => ({ is: "written" }),
        (error: unknown) => ({ is: isPoison(error) ? "poisoned" : "away", error }),
      );
    let stopWaiting = () => {};
    const tooLong = new Promise<Tried>((resolve) => {
      stopWaiting = clock.after(LONG_TRY_MS, () => resolve({ is: "away", error: "it takes too long" }));
    });
    const first = await Promise.race([tried, tooLong]);
    stopWaiting();
    isGivenUp = true;
    if (first.is === "written") this.#last = id;
    if (first.is === "away") this.#last = "unknown";
    return first;
  }

  async #writeAfter(
    after: WrittenBatch | undefined,
    db: Db,
    { id, batch }: { id: WrittenBatch; batch: Batch<Entry> },
  ): Promise<void> {
    if (after?.life === id.life && after.batch === id.batch) return; // a try whose outcome we did not hear
    const entries = batch.map(([, entry]) => entry);
    // Both at once: what is not to be built on is undone with the transaction, whatever became of it.
    const [noted, written] = await Promise.allSettled([
      noteBatch(db, this.#aside.stream.name, { after, now: id }),
      this.#parts.write(db, entries),
    ]);
    if (noted.status === "rejected") throw noted.reason;
    if (!noted.value) throw new Moved();
    if (written.status === "rejected") throw written.reason;
  }

  /** One by one shows which it was. */
  async #findPoison(batch: Batch<Entry>, error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only) return this.#parts.onPoisoned(only[1], error);
    for (const one of batch) await this.write([one]);
  }

  /** A disk that takes nothing either leaves nothing but to go on trying both. */
  async #setAside(id: WrittenBatch, batch: Batch<Entry>): Promise<void> {
    const { clock } = this.#parts;
    const entries = batch.flatMap<[string, unknown]>(([key, entry]) => {
      const packed = this.#aside.pack(entry);
      return packed === undefined ? [] : [[key, packed]];
    });
    for (let isTold = false; entries.length > 0; isTold = true) {
      try {
        await this.#aside.stream.append({ ...id, atMs: clock.wall(), entries });
        return this.#replaying.begin(BETWEEN_TRIES_MS);
      } catch (error) {
        if (!isTold) this.#tell("the disk does not take what is owed either; both are tried again", error);
      }
      await pause(clock, BETWEEN_TRIES_MS);
      if (!this.isAside() && (await this.#tryOnce(id, batch)).is === "written") return;
    }
  }

  #tell(what: string, error: unknown): void {
    this.#parts.log.error({ stream: this.#aside.stream.name, error: String(error) }, what);
  }
}
