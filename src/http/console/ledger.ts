// The pen of the audit trail: a change and its line are written in one transaction, so that neither is without the other.

import { type NewAuditLine, writeAuditLine } from "../../store/audit.ts";
import type { ConsoleContext, Passwords } from "./operation/operation.ts";
import { isRefused } from "./operation/refusal.ts";

type Unrecorded = Omit<ConsoleContext, "record">;

export type Ledger = Pick<ConsoleContext, "record"> & {
  /** The line alone, for what changes nothing in the database; nothing if it stands there already. */
  note(): Promise<void>;
};

export function openLedger(context: Unrecorded, line: NewAuditLine): Ledger {
  let isWritten = false;
  return {
    async record(work) {
      const { inside, settle } = postponing(context);
      const reply = await context.db
        .transaction(async (db) => {
          const reply = await work({ ...inside, db: { ...inside.db, ...db } });
          if (isRefused(reply)) throw new Withdrawn(reply);
          await writeAuditLine(db, line);
          return reply;
        })
        .catch((error: unknown) => {
          if (error instanceof Withdrawn) return error.reply as Awaited<ReturnType<typeof work>>; // what work said
          throw error;
        });
      isWritten = !isRefused(reply);
      if (isWritten) await settle();
      return reply;
    },
    async note() {
      if (!isWritten) await writeAuditLine(context.db, line);
    },
  };
}

/** Takes back what a refused change had written already. */
class Withdrawn extends Error {
  readonly reply: unknown;

  constructor(reply: unknown) {
    super("refused");
    this.reply = reply;
  }
}

const refuseHere = () => Promise.reject(new Error("passwords are looked at and hashed before the transaction"));
const notHere: Passwords = { prove: refuseHere, hash: refuseHere };

/**
 * What the database cannot take back waits until it has kept the change: files that go, facts that are forgotten, and
 * the wait until everybody has heard of it.
 */
function postponing(context: Unrecorded): { inside: ConsoleContext; settle(): Promise<void> } {
  const later: (() => unknown)[] = [];
  const { db, sounds, extensionStates } = context;
  const inside: ConsoleContext = {
    ...context,
    db: { ...db, heard: async () => void later.push(() => db.heard()) },
    sounds: { ...sounds, drop: async (objectKey) => void later.push(() => sounds.drop(objectKey)) },
    extensionStates: { ...extensionStates, forget: (which) => void later.push(() => extensionStates.forget(which)) },
    passwords: notHere,
    record: (work) => work(inside), // it is being recorded
  };
  return {
    inside,
    async settle() {
      for (const act of later) await act();
    },
  };
}
