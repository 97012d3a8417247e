// Missed callers of one's queues: seen by all of their agents, called back by one at a time.

import { Type } from "typebox";
import { asDialled } from "../../../exchange/plan/numbers.ts";
import {
  leaveMissedCaller,
  type MissedCaller,
  missedCallers,
  settleMissedCaller,
  takeMissedCaller,
} from "../../../store/missed-callers.ts";
import { queuesOfAgent } from "../../../store/scope.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { name, nothing } from "./fields.ts";

/** Long enough for a call; who forgets one keeps it from the others no longer. */
const TAKEN_MS = 15 * 60_000;

const peer = name(64);
const NO_PHONE = { refused: "missing-extension" } as const;
const TAKEN = { refused: "caller-taken" } as const;
const notFound = (which: string) => ({ refused: "not-found", what: "number", which }) as const;

export const deskMissed = {
  "desk.missed": operation({
    right: "desk",
    reads: true,
    parameters: nothing,
    handle: (_, context) => missedFor(context),
  }),

  "desk.takeMissed": operation({
    right: "desk",
    parameters: Type.Object({ peer }),
    async handle({ peer }, context) {
      const { db, exchangeId, staff, clock } = context;
      const { extension } = staff;
      if (extension === null) return NO_PHONE;
      const [caller] = await missedFor(context, peer);
      if (!caller) return notFound(peer);
      const now = clock.wall();
      const wanted = { exchangeId, peer, extension, now: new Date(now), until: new Date(now + TAKEN_MS) };
      return (await takeMissedCaller(db, wanted)) ? { number: asDialled(caller.number) } : TAKEN;
    },
  }),

  "desk.leaveMissed": operation({
    right: "desk",
    parameters: Type.Object({ peer }),
    async handle({ peer }, { db, exchangeId, staff }) {
      if (staff.extension === null) return NO_PHONE;
      return (await leaveMissedCaller(db, { exchangeId, peer, extension: staff.extension })) ? {} : notFound(peer);
    },
  }),

  /** Without a call: he wrote, or it was nothing. */
  "desk.settleMissed": operation({
    right: "desk",
    parameters: Type.Object({ peer }),
    async handle({ peer }, context) {
      const { db, exchangeId, staff, clock } = context;
      const { extension } = staff;
      if (extension === null) return NO_PHONE;
      if ((await missedFor(context, peer)).length === 0) return notFound(peer);
      const settled = { exchangeId, peer, extension, now: new Date(clock.wall()), by: staff.email };
      return (await settleMissedCaller(db, settled)) ? {} : TAKEN;
    },
  }),
};

/** Of the queues one takes calls from, or leads. */
async function missedFor(
  { db, exchangeId, scope, staff, clock }: ConsoleContext,
  peer?: string,
): Promise<MissedCaller[]> {
  const queues =
    scope !== "everything"
      ? scope.queues
      : staff.extension === null
        ? []
        : await queuesOfAgent(db, exchangeId, staff.extension);
  const wanted = { exchangeId, queues, now: new Date(clock.wall()) };
  return missedCallers(db, peer === undefined ? wanted : { ...wanted, exchangeId, peer });
}
