// Writes down what a carrier said, many answers and receipts at a time: while one batch is written the next one gathers.

import { randomUUID } from "node:crypto";
import type { Stream } from "../arrears/arrears.ts";
import { openGroupCommit } from "../arrears/group-commit.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import type { CarrierRow } from "../store/sms-carriers.ts";
import { type Claim, endClaims, endEmptyClaims, leaveClaims } from "../store/sms-claims.ts";
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
type Answer = { id: number; answer: CarrierAnswer };
type Entry = {
  said: Answer | { receipt: HeardReceipt };
  /** It lay on disk: in memory its claim has long lost it. */
  isLate: boolean;
  onWritten?: () => void;
};

export type WrittenAnswers = {
  /** Before anything of it is answered. */
  claimed(claim: Claim): void;
  /** Claims with a message whose answer is not written yet. */
  openClaims(): number[];
  answered(id: number, answer: CarrierAnswer): void;
  /** Kept when the receipt is stored. */
  receipt(receipt: HeardReceipt): Promise<void>;
  waiting(): number;
  /** Whether answers lie on disk that the database does not know: it would give out messages that have gone already. */
  isAside(): boolean;
  /** Kept when none does. */
  caughtUp(): Promise<void>;
  /** Everything is on disk, be it the database's or ours. */
  close(): Promise<void>;
};

const MOST_AT_ONCE = 2_000;

export type AnswerParts = {
  db: Db;
  clock: Clock;
  log: Log;
  carrier: CarrierRow;
  /** Where it is written while the database cannot be. */
  arrears?: Stream | undefined;
  written: () => void;
};

export function writeAnswersDown(parts: AnswerParts): WrittenAnswers {
  const { clock, log, carrier, arrears, written } = parts;
  const claims = openClaims();
  let waiting = 0;
  const settle = ({ said, onWritten }: Entry) => {
    if ("answer" in said) claims.remove([said.id]);
    if ("answer" in said) waiting -= 1;
    onWritten?.();
    written();
  };
  const commits = openGroupCommit<Entry>({
    ...parts,
    gatherMs: 0,
    mostAtOnce: MOST_AT_ONCE,
    merge: (_, newer) => newer, // a message is answered once, and each receipt is its own
    write: entriesWriter({ carrier, clock, log, claims }),
    onWritten: settle,
    onPoisoned(entry, error) {
      log.error({ carrier: carrier.name, said: entry.said, error: String(error) }, "an answer cannot be stored");
      // Its message stays in its claim: what became of it is unknown, and the next to take over says so.
      if ("receipt" in entry.said) settle(entry);
    },
    aside: arrears && {
      stream: arrears,
      pack: ({ said }) => said,
      unpack: (packed) => ({ said: packed as Entry["said"], isLate: true }), // what `pack` made
    },
  });
  return {
    claimed: claims.add,
    openClaims: claims.open,
    answered(id, answer) {
      waiting += 1;
      commits.put(`message ${id}`, { said: { id, answer }, isLate: false });
    },
    receipt: (receipt) =>
      new Promise((onWritten) => {
        commits.put(`receipt ${randomUUID()}`, { said: { receipt }, isLate: false, onWritten });
      }),
    waiting: () => waiting,
    isAside: () => commits.isAside(),
    caughtUp: () => commits.caughtUp(),
    close: () => commits.close(),
  };
}

type Writing = { carrier: CarrierRow; clock: Clock; log: Log; claims: OpenClaims };

function entriesWriter({ carrier, clock, log, claims }: Writing): (db: Db, entries: Entry[]) => Promise<void> {
  // Receipts may have outrun our own memory of the submit in an earlier life, too.
  let strays = true;
  return async (db, entries) => {
    const now = new Date(clock.wall());
    const answers = entries.flatMap(({ said }) => ("answer" in said ? said : []));
    const receipts = entries.flatMap(({ said }) => ("receipt" in said ? said.receipt : []));
    const isLate = entries.some((entry) => entry.isLate);
    if (answers.length > 0) await writeAnswers(db, answers, { now, isLate });
    if (receipts.length > 0) await writeReceipts(db, receipts, now);
  };

  async function writeAnswers(
    db: Db,
    said: readonly Answer[],
    { now, isLate }: { now: Date; isLate: boolean },
  ): Promise<void> {
    const answers = sorted(said);
    const { accepted, cutOff } = answers;
    await storeAnswers(db, { carrier, now }, answers);
    if (isLate) await leaveLate(db, carrier, said);
    else await leave(db, { carrier, claims }, answers);
    if (cutOff.length > 0) log.warn({ carrier: carrier.name, messages: cutOff.length }, "answers were cut off");
    if (!strays || accepted.length === 0) return;
    const found = await takeStrayReceipts(
      db,
      carrier.id,
      accepted.flatMap(({ references }) => references),
    );
    if (found.length > 0) await writeReceipts(db, found, now);
    else strays = await hasStrayReceipts(db, carrier.id);
  }

  async function writeReceipts(db: Db, heard: readonly HeardReceipt[], now: Date): Promise<void> {
    const missed = await noteReceipts(db, carrier.id, heard, now);
    if (missed.length === 0) return;
    strays = true;
    await keepStrayReceipts(db, carrier.id, missed, now);
  }
}

async function storeAnswers(
  db: Db,
  { carrier, now }: { carrier: CarrierRow; now: Date },
  { accepted, refused, cutOff }: ReturnType<typeof sorted>,
): Promise<void> {
  const { id: carrierId, receipts, whenUncertain } = carrier;
  if (accepted.length > 0) await acceptMessages(db, { carrierId, receipts, now }, accepted);
  if (refused.length > 0) await failMessages(db, refused, now);
  if (cutOff.length > 0) await cutOffMessages(db, carrierId, cutOff, whenUncertain);
}

/** A claim goes with the last of its answers; before that only those leave it that wait again or are in doubt already. */
async function leave(
  db: Db,
  { carrier: { id: carrierId }, claims }: { carrier: CarrierRow; claims: OpenClaims },
  { accepted, refused, later, cutOff }: ReturnType<typeof sorted>,
): Promise<void> {
  const { ended, going } = claims.after([...accepted.map(idOf), ...refused.map(idOf), ...later, ...cutOff]);
  const leaving = [...later, ...cutOff].filter((id) => going.has(id));
  if (leaving.length > 0) await leaveClaims(db, carrierId, leaving);
  if (ended.length > 0) await endClaims(db, carrierId, ended);
}

/** Whoever claimed them has gone, or has forgotten them. */
async function leaveLate(db: Db, { id: carrierId }: CarrierRow, answers: readonly Answer[]): Promise<void> {
  await leaveClaims(db, carrierId, answers.map(idOf));
  await endEmptyClaims(db, carrierId);
}

const idOf = ({ id }: { id: number }) => id;

function sorted(entries: readonly Answer[]) {
  return {
    accepted: only("accepted", entries).map(({ id, answer }) => ({ id, references: answer.references })),
    refused: only("refused", entries).map(({ id, answer }) => ({ id, ...answer })),
    later: only("later", entries).map(({ id }) => id),
    cutOff: only("nothing", entries).map(({ id }) => id),
  };
}

function only<Word extends CarrierAnswer["said"]>(word: Word, entries: readonly Answer[]): Answered<Word>[] {
  return entries.filter((entry): entry is Answered<Word> => entry.answer.said === word);
}
