// Every part of this server that keeps exchanges in memory, as the node sees it: what is read when one comes to live here,
// in the order in which the parts stand on one another, and what is let go when it leaves.

import type { Clock } from "../clock.ts";
import type { Business, Keeper } from "../cluster/keeper.ts";
import type { Tally } from "../cluster/tally.ts";
import { planRetention } from "../exchange/recordings/retain.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import { atOurDoors } from "../exchange/taken-over.ts";
import { freeLeases } from "../jobs/take-up.ts";

import type { Database } from "../store/db.ts";
import type { Calls } from "./open-calls.ts";
import type { CallJournal } from "./open-work.ts";

export type KeepersNeeds = {
  db: Database;
  clock: Clock;
  /** The life of this node. */
  epoch: number;
  switchboard: Switchboard;
  calls: Calls;
  journal: CallJournal;
  tally: Tally | undefined;
};

export function keepersOf(needs: KeepersNeeds): Keeper[] {
  return [work(needs), listeners(needs), phones(needs), calls(needs)];
}

/** What its last owner was in the middle of is due now, and what is done once a day is planned. */
function work({ db, clock, epoch }: KeepersNeeds): Keeper {
  return {
    async load(exchangeIds) {
      for (const exchangeId of exchangeIds) {
        await freeLeases(db.forExchange(exchangeId), epoch);
        await planRetention(db.forExchange(exchangeId), clock.wall(), exchangeId);
      }
    },
    drop: async () => undefined,
  };
}

/**
 * Whoever hears of changes reads everything again, and finds more or less than before: settings, queues, mailboxes,
 * campaigns, message carriers, jobs, archives, contact runs, extensions, trunks.
 */
function listeners({ db }: KeepersNeeds): Keeper {
  return { load: () => db.reread(), drop: () => db.reread() };
}

function phones({ switchboard }: KeepersNeeds): Keeper {
  return { load: (exchangeIds) => switchboard.load(exchangeIds), drop: async () => undefined };
}

/** Calls that were up are gone on with where that is possible, and get their records where it is not. */
function calls({ calls: { desk, dialler, faxes }, journal, switchboard: { stack }, tally }: KeepersNeeds): Keeper {
  return {
    async load(exchangeIds) {
      const left = await Promise.all(exchangeIds.map((exchangeId) => journal.taken(exchangeId)));
      const here = left.flat().map((call) => atOurDoors(stack, call));
      const resumed = await desk.resume(here, journal.giveUp);
      if (tally) tally.callsResumed += resumed;
      await desk.queues.recall();
      for (const exchangeId of exchangeIds) {
        await dialler.load(exchangeId);
        await faxes.load(exchangeId);
      }
    },
    quiet: (exchangeId, isLeaving) => dialler.quiet(exchangeId, isLeaving),
    async drop(exchangeId) {
      await dialler.drop(exchangeId);
      await desk.queues.drop(exchangeId);
      desk.forget(exchangeId);
    },
  };
}

export function businessOf({ calls: { desk }, switchboard: { registrar } }: KeepersNeeds): Business {
  return {
    calls: (exchangeId) => desk.live.all(exchangeId).length,
    phones: (exchangeId) => registrar.list(exchangeId).length,
    bound: (exchangeId, ringing) => desk.bound(exchangeId, ringing),
    endBound: (exchangeId) => desk.endCallsOf(exchangeId),
    letGo: (exchangeId) => desk.letGo(exchangeId),
  };
}
