// Writes down what a carrier said, many answers and receipts at a time: while one batch is written the next one gathers.

import { runAgain } from "../again.ts";
import { type Clock, pause } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import type { CarrierRow } from "../store/sms-carriers.ts";
import { type Claim, endClaims, leaveClaims } from "../store/sms-claims.ts";
import { acceptMessages, cutOffMessages, failMessages } from "../store/sms-messages.ts";
import {
  type HeardReceipt,
  hasStrayReceipts,
  keepStrayReceipts,
  noteReceipts,
  takeStrayReceipts,
} from "../store/sms-receipts.ts";
import type { CarrierAnswer } from "./carrier.ts";
import { type OpenClaims, openClaims } from "./open-claims.ts";

type Said<Word extends CarrierAnswer["said"]> = CarrierAnswer & { said: Word };
type Answered<Word extends CarrierAnswer["said"]> = { id: number; answer: Said<Word> };
type Entry = { id: number; answer: CarrierAnswer };
type Waiting = { receipt: HeardReceipt; stored: () => void };

export type WrittenAnswers = {
  /** Before anything of it is answered. */
  claimed(claim: Claim): void;
  /** Claims with a message whose answer is not written yet. */
  openClaims(): number[];
  answered(id: number, answer: CarrierAnswer): void;
  /** Kept when the receipt is stored. */
  receipt(receipt: HeardReceipt): Promise<void>;
  /** Nothing is left to write. */
  idle(): Promise<void>;
  waiting(): number;
};

const RETRY_MS = 1_000;

export type AnswerParts = { db: Db; clock: Clock; log: Log; carrier: CarrierRow; written: () => void };

export function writeAnswersDown({ db, clock, log, carrier, written }: AnswerParts): WrittenAnswers {
  let answers: Entry[] = [];
  let receipts: Waiting[] = [];
  const writing = runAgain(writeGathered);
  const claims = openClaims();
  // Receipts may have outrun our own memory of the submit in an earlier life, too.
  let strays = true;

  return {
    claimed: claims.add,
    openClaims: claims.open,
    answered(id, answer) {
      answers.push({ id, answer });
      void writing.ask();
    },
    receipt: (receipt) =>
      new Promise((stored) => {
        receipts.push({ receipt, stored });
        void writing.ask();
      }),
    idle: writing.settled,
    waiting: () => answers.length,
  };

  async function writeGathered(): Promise<void> {
    const batch = { answers, receipts };
    answers = [];
    receipts = [];
    await writeBatch(batch);
    for (const { stored } of batch.receipts) stored();
    written();
  }

  /** The database may be away: what the carrier said is kept in hand until it is back. */
  async function writeBatch(batch: { answers: Entry[]; receipts: Waiting[] }): Promise<void> {
    for (;;) {
      try {
        if (batch.answers.length > 0) await writeAnswers(batch.answers);
        if (batch.receipts.length > 0) await writeReceipts(batch.receipts.map(({ receipt }) => receipt));
        return;
      } catch (error) {
        log.error(
          { carrier: carrier.name, error: String(error) },
          "a carrier's answers could not be stored; trying again",
        );
        await pause(clock, RETRY_MS);
      }
    }
  }

  async function writeAnswers(entries: readonly Entry[]): Promise<void> {
    const answers = sorted(entries);
    const { accepted, cutOff } = answers;
    await db.transaction((db) => storeAnswers(db, { carrier, claims, now: new Date(clock.wall()) }, answers));
    claims.remove(entries.map(({ id }) => id));
    if (cutOff.length > 0) log.warn({ carrier: carrier.name, messages: cutOff.length }, "answers were cut off");
    if (strays && accepted.length > 0) await matchStrayReceipts(accepted.flatMap(({ references }) => references));
  }

  async function matchStrayReceipts(references: readonly string[]): Promise<void> {
    const found = await takeStrayReceipts(db, carrier.id, references);
    if (found.length > 0) await writeReceipts(found);
    else strays = await hasStrayReceipts(db, carrier.id);
  }

  async function writeReceipts(heard: readonly HeardReceipt[]): Promise<void> {
    const now = new Date(clock.wall());
    const missed = await noteReceipts(db, carrier.id, heard, now);
    if (missed.length === 0) return;
    strays = true;
    await keepStrayReceipts(db, carrier.id, missed, now);
  }
}

/** A claim goes with the last of its answers; before that only those leave it that wait again or are in doubt already. */
async function storeAnswers(
  db: Db,
  { carrier, claims, now }: { carrier: CarrierRow; claims: OpenClaims; now: Date },
  { accepted, refused, later, cutOff }: ReturnType<typeof sorted>,
): Promise<void> {
  const { id: carrierId, receipts, whenUncertain } = carrier;
  const { ended, going } = claims.after([...accepted.map(idOf), ...refused.map(idOf), ...later, ...cutOff]);
  const leaving = [...later, ...cutOff].filter((id) => going.has(id));
  if (accepted.length > 0) await acceptMessages(db, { carrierId, receipts, now }, accepted);
  if (refused.length > 0) await failMessages(db, refused, now);
  if (cutOff.length > 0) await cutOffMessages(db, carrierId, cutOff, whenUncertain);
  if (leaving.length > 0) await leaveClaims(db, carrierId, leaving);
  if (ended.length > 0) await endClaims(db, carrierId, ended);
}

const idOf = ({ id }: { id: number }) => id;

function sorted(entries: readonly Entry[]) {
  return {
    accepted: only("accepted", entries).map(({ id, answer }) => ({ id, references: answer.references })),
    refused: only("refused", entries).map(({ id, answer }) => ({ id, ...answer })),
    later: only("later", entries).map(({ id }) => id),
    cutOff: only("nothing", entries).map(({ id }) => id),
  };
}

function only<Word extends CarrierAnswer["said"]>(word: Word, entries: readonly Entry[]): Answered<Word>[] {
  return entries.filter((entry): entry is Answered<Word> => entry.answer.said === word);
}
