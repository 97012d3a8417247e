// What the queue desk asks of the store, in one place.

import { atOnce, type Errands } from "../../../arrears/errands.ts";
import { type FloorPlan, maySupervise, QUEUES_CHANNEL, readFloorPlan } from "../../../store/agents.ts";
import { type NewAuditLine, writeAuditLine } from "../../../store/audit.ts";
import { type OwedDisposition, oweDisposition } from "../../../store/call-notes.ts";
import {
  beginCallback,
  type Callback,
  endCallback,
  exchangesOwingCallbacks,
  keepCallback,
  keepSurveyAnswer,
  listOwedCallbacks,
  type SurveyAnswer,
} from "../../../store/callbacks.ts";
import type { Database, Db } from "../../../store/db.ts";
import type { Limit } from "../../../store/limit.ts";
import { answeredSinceLogIn, keepWrapUp, type WrapUp } from "../../../store/wrap-ups.ts";
import { storedForm } from "../../plan/numbers.ts";
import { carryOutRequest, type RequestedMove, type RequestOutcome } from "../agents/agent-requests.ts";
import type { Debt } from "./roster.ts";

export type QueueStore = {
  plan(exchangeId: number): Promise<FloorPlan>;
  /** By agent: calls of queues that he has answered since he logged in. */
  answered(exchangeId: number): Promise<ReadonlyMap<string, number>>;
  keepWrapUp(exchangeId: number, wrapUp: WrapUp): Promise<void>;
  oweDisposition(exchangeId: number, debt: Debt): Promise<void>;
  request(move: RequestedMove, limit?: Limit): Promise<RequestOutcome>;
  /** False when the queue has gone in the meantime. */
  keepCallback(exchangeId: number, callback: Callback): Promise<boolean>;
  owedCallbacks(exchangeId: number): Promise<Callback[]>;
  exchangesOwing(): Promise<number[]>;
  beginCallback(exchangeId: number, id: string, againMs: number): Promise<void>;
  endCallback(exchangeId: number, id: string, outcome: "talked" | "not-reached"): Promise<void>;
  keepSurveyAnswer(exchangeId: number, answer: SurveyAnswer): Promise<void>;
  maySupervise(exchangeId: number, extension: string): Promise<boolean>;
  audit(line: NewAuditLine): Promise<void>;
  /** Undefined: we had lost the line to the database, and anything may have changed. */
  onChange(hear: (exchangeId: number | undefined) => void): void;
  close(): Promise<void>;
};

/** What must be written once, though the database is away: else somebody is called back twice, or was asked in vain. */
export const queueErrands = {
  "callback.end": (db: Db, ended: { exchangeId: number; id: string; outcome: "talked" | "not-reached" }) =>
    endCallback(db, ended),
  "survey.answer": (db: Db, { exchangeId, answer }: { exchangeId: number; answer: SurveyAnswer }) =>
    keepSurveyAnswer(db, exchangeId, answer),
  "disposition.owe": (db: Db, owed: OwedDisposition) => oweDisposition(db, owed),
  "wrap-up.keep": (db: Db, { exchangeId, wrapUp }: { exchangeId: number; wrapUp: WrapUp }) =>
    keepWrapUp(db, exchangeId, wrapUp),
};

export async function openQueueStore(
  db: Database,
  errands: Errands<typeof queueErrands> = atOnce(db, queueErrands),
): Promise<QueueStore> {
  let tell: (exchangeId: number | undefined) => void = () => undefined;
  const close = await db.listen(QUEUES_CHANNEL, (changed) => tell(changed === "" ? undefined : Number(changed)));
  return {
    close,
    plan: (exchangeId) => readFloorPlan(db, exchangeId),
    answered: (exchangeId) => answeredSinceLogIn(db, exchangeId),
    keepWrapUp: (exchangeId, wrapUp) => errands.run("wrap-up.keep", { exchangeId, wrapUp }),
    oweDisposition: (exchangeId, { caller, ...debt }) =>
      errands.run("disposition.owe", { ...debt, exchangeId, peer: storedForm(caller) ?? "" }),
    request: (move, limit) => carryOutRequest(limit ? db.within(limit) : db, move),
    keepCallback: (exchangeId, callback) => keepCallback(db, exchangeId, callback),
    owedCallbacks: (exchangeId) => listOwedCallbacks(db, exchangeId),
    exchangesOwing: () => exchangesOwingCallbacks(db),
    beginCallback: (exchangeId, id, againMs) => beginCallback(db, { exchangeId, id, againMs }),
    endCallback: (exchangeId, id, outcome) => errands.run("callback.end", { exchangeId, id, outcome }),
    keepSurveyAnswer: (exchangeId, answer) => errands.run("survey.answer", { exchangeId, answer }),
    maySupervise: (exchangeId, extension) => maySupervise(db, exchangeId, extension),
    audit: (line) => writeAuditLine(db, line),
    onChange: (hear) => {
      tell = hear;
    },
  };
}
