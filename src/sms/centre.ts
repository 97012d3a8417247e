// The message centre: one process at a time holds it, keeps every carrier open, and does what has come due.

import { runAgain } from "../again.ts";
import type { Arrears } from "../arrears/arrears.ts";
import { type Cancel, type Clock, pause } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/db.ts";
import { holdLock, type Lock } from "../store/lock.ts";
import { type CarrierRow, listAllCarriers } from "../store/sms-carriers.ts";
import { takeOver } from "../store/sms-claims.ts";
import { acceptedMessages } from "../store/sms-messages.ts";
import { type Carrier, type Carriers, type Hearing, shut } from "./carrier.ts";
import { type Chore, doChores } from "./chores.ts";
import { receiveMessage } from "./inbound.ts";
import { Pump } from "./pump.ts";
import { QUEUED_CHANNEL } from "./send.ts";
import { type WrittenAnswers, writeAnswersDown } from "./written-answers.ts";

export type CentreParts = {
  db: Database;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  log: Log;
  carriers: Carriers;
  chores: readonly Chore[];
  /** Where answers are written while the database cannot be. */
  arrears?: Pick<Arrears, "stream"> | undefined;
  /** Where each node has carriers of its own, so many centres: none waits for another. */
  life?: number | undefined;
};

export type MessageCentre = { wake(): void; close(): Promise<void> };

type Line = { row: CarrierRow; pump: Pump; wake(): void; close(): Promise<void> };

/** Any number that all nodes share. */
const CENTRE_LOCK = 7_268_730;
const RETRY_MS = 1_000;
const CATCH_UP_MS = 10_000;

export async function openMessageCentre(parts: CentreParts): Promise<MessageCentre> {
  const centre = new Centre(parts);
  await centre.start();
  return { wake: () => centre.wake(), close: () => centre.close() };
}

class Centre {
  readonly #parts: CentreParts;
  #lines = new Map<number, Line>();
  #closed = false;
  #lock: Lock | undefined;
  #stopChores: (() => Promise<void>) | undefined;
  #unlisten: (() => Promise<void>)[] = [];
  /** Opens what is new or changed, closes what is gone. */
  readonly #arranging = runAgain(() => this.#arrange());
  #serving: Promise<void> = Promise.resolve();
  #cancelRetry: Cancel | undefined;

  constructor(parts: CentreParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { db } = this.#parts;
    this.#unlisten = [
      await db.listen(QUEUED_CHANNEL, () => this.wake()),
      await db.listen("sms_carriers", () => void this.#arranging.ask()),
    ];
    this.#serving = this.#serve();
  }

  wake(): void {
    for (const line of this.#lines.values()) line.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    for (const unlisten of this.#unlisten) await unlisten();
    await this.#serving;
    await this.#putDown();
    await this.#lock?.release();
  }

  /** Waits its turn, serves, and starts over should the lock be lost with its connection. */
  async #serve(): Promise<void> {
    const { db, clock, log, chores, life } = this.#parts;
    const key = life === undefined ? CENTRE_LOCK : CENTRE_LOCK * 1_000_000 + life;
    const lock = await holdLock(db, clock, { key, isWanted: () => !this.#closed });
    if (!lock || this.#closed) return lock?.release();
    this.#lock = lock;
    lock.onLost(() => {
      log.warn({}, "the message centre lost its lock and starts over");
      this.#lock = undefined;
      this.#serving = this.#putDown().then(() => (this.#closed ? undefined : this.#serve()));
    });
    this.#stopChores = doChores(clock, log, [...chores, { everyMs: 60_000, act: async () => this.wake() }]);
    await this.#arranging.ask();
  }

  async #arrange(): Promise<void> {
    if (!this.#lock || this.#closed) return;
    try {
      await this.#arrangeLines();
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, "carriers could not be read; trying again");
      this.#cancelRetry = this.#parts.clock.after(RETRY_MS, () => void this.#arranging.ask());
    }
  }

  async #arrangeLines(): Promise<void> {
    const rows = await listAllCarriers(this.#parts.db, this.#parts.secrets);
    for (const [id, line] of this.#lines) {
      const row = rows.find((row) => row.id === id);
      if (row && JSON.stringify(row) === JSON.stringify(line.row)) continue;
      this.#lines.delete(id);
      await line.close();
    }
    for (const row of rows) if (!this.#lines.has(row.id)) this.#lines.set(row.id, await this.#open(row));
    this.wake();
  }

  async #open(row: CarrierRow): Promise<Line> {
    const { db, clock, log, carriers } = this.#parts;
    let pump: Pump | undefined;
    const books = await this.#booksOf(row, () => pump?.wake());
    const { shift, doubtful } = await takeOver(db, row.id, row.whenUncertain);
    if (doubtful > 0)
      log.warn({ carrier: row.name, messages: doubtful, policy: row.whenUncertain }, "a crash left messages in doubt");
    const hear: Hearing = {
      ready: () => pump?.wake(),
      receipt: (receipt) => books.receipt(receipt),
      message: (message) => receiveMessage({ db, clock, exchangeId: row.exchangeId, carrierId: row.id }, message),
    };
    const carrier = row.passwordLost ? shut : carriers[row.kind](row, { clock, log, hear });
    const opened = new Pump({ db, clock, log, row, carrier, books, shift });
    pump = opened;
    if (carrier.resume) await resume(db, row.id, carrier);
    return {
      row,
      pump: opened,
      wake: () => opened.wake(),
      close: async () => {
        await opened.close();
        await carrier.close();
        await books.close();
      },
    };
  }

  /** What carriers said while the database was away is in it before anything is taken for doubtful or given out. */
  async #booksOf(row: CarrierRow, written: () => void): Promise<WrittenAnswers> {
    const { db, clock, log, arrears } = this.#parts;
    const stream = await arrears?.stream(`messages-${row.id}`);
    const books = writeAnswersDown({ db, clock, log, carrier: row, arrears: stream, written });
    if (books.isAside()) await Promise.race([books.caughtUp(), pause(clock, CATCH_UP_MS)]);
    if (!books.isAside()) return books;
    await books.close();
    throw new Error("what the carrier said before is not in the database yet");
  }

  async #putDown(): Promise<void> {
    await this.#stopChores?.();
    this.#stopChores = undefined;
    await this.#arranging.settled();
    const lines = [...this.#lines.values()];
    this.#lines.clear();
    await Promise.all(lines.map((line) => line.close()));
  }
}

const RESUME_AT_ONCE = 1_000;

async function resume(db: Database, carrierId: number, carrier: Carrier): Promise<void> {
  let after = 0;
  for (;;) {
    const accepted = await acceptedMessages(db, carrierId, after, RESUME_AT_ONCE);
    for (const { expiresAt, ...message } of accepted)
      carrier.resume?.({ ...message, validUntilMs: expiresAt.getTime() });
    if (accepted.length < RESUME_AT_ONCE) return;
    after = accepted.at(-1)!.id;
  }
}
