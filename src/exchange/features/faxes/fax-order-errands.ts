// What is written of a fax that went or was to go, when its call is over.

import type { Db } from "../../../store/db.ts";
import { confirmFaxPages, type FaxOrderOutcome, settleFaxOrder } from "../../../store/fax-orders.ts";
import { closeFaxRecord, dropFaxRecord, type FaxOutcome, noteFaxOutcome } from "../../../store/fax-records.ts";

type Settled = {
  id: number;
  callUuid: string;
  answerMs?: number | undefined;
  /** Of the call. */
  endMs: number;
  nowMs: number;
  confirmed: number;
  outcome: FaxOrderOutcome;
  noted: FaxOutcome;
};

/** What must be written once of a fax that went, though the database is away: else it would go again. */
export const faxOrderErrands = {
  "fax.pages": (db: Db, confirmed: { id: number; pages: number }) => confirmFaxPages(db, confirmed),
  async "fax.settle"(
    db: Db,
    { id, callUuid, answerMs, endMs, nowMs, confirmed, outcome, noted }: Settled,
  ): Promise<void> {
    await noteFaxOutcome(db, callUuid, noted);
    await closeFaxRecord(db, { callUuid, answerMs, nowMs: endMs });
    await confirmFaxPages(db, { id, pages: confirmed });
    await settleFaxOrder(db, { id, nowMs, outcome });
  },
  async "fax.give-back"(
    db: Db,
    { id, callUuid, nowMs, outcome }: Pick<Settled, "id" | "callUuid" | "nowMs" | "outcome">,
  ): Promise<void> {
    await dropFaxRecord(db, callUuid);
    await settleFaxOrder(db, { id, nowMs, outcome });
  },
};
