// Takes a caller to an emergency number: no rule, limit or list is asked, and every trunk is tried until one takes him.

import type { Errands } from "../../arrears/errands.ts";
import { oweNotice } from "../../jobs/notice.ts";
import type { Log } from "../../log.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { Db } from "../../store/db.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { written } from "../plan/numbers.ts";
import { freshTrail } from "./carrier-redirect.ts";
import type { Guide } from "./guide.ts";
import {
  follow,
  leadOutside,
  type OutsideCall,
  type OutsideNeeds,
  type Tried,
  tellFailure,
  tryWay,
  type Way,
} from "./outside.ts";

export type HelpNeeds = OutsideNeeds & {
  log: Log;
  live: Pick<LiveCalls, "callsForHelp" | "sparedOn">;
  errands: Errands<typeof helpErrands>;
};

/** Who waits for help does not hang up; nor do we for him. */
const RING_SECONDS = 300;

/** To the public network, for help or for anything else. */
export function leadOut(guide: Guide<HelpNeeds>, wanted: OutsideCall): Promise<Led> {
  return wanted.number.is === "emergency" ? leadToHelp(guide, wanted) : leadOutside(guide, wanted);
}

async function leadToHelp(guide: Guide<HelpNeeds>, wanted: OutsideCall): Promise<Led> {
  const { call, book, has } = guide;
  const patient = { ...wanted, seconds: RING_SECONDS };
  call.tell({ is: "emergency", number: written(wanted.number) });
  has.live.callsForHelp(call);
  tellThoseWhoRunIt(guide, wanted);
  const full: Way[] = [];
  let ending: Ending = { cause: "NO_ROUTE_DESTINATION" };
  const ways = has.waysTo(book.settings.id, wanted.number);
  for (const [place, way] of ways.entries()) {
    const led = await tryHelp(guide, way, { ...patient, isLast: place === ways.length - 1 });
    if ("connected" in led || guide.signal.aborted) return led;
    ending = led.failed;
    tellFailure(call, way, ending);
    if (looksFull(ending)) full.push(way);
  }
  for (const way of full) {
    if (!makesRoom(guide, way)) continue;
    const led = await tryHelp(guide, way, { ...patient, isLast: true });
    if ("connected" in led || guide.signal.aborted) return led;
    ending = led.failed;
  }
  return { failed: ending };
}

async function tryHelp(guide: Guide<HelpNeeds>, way: Way, wanted: Tried): Promise<Led> {
  const led = await tryWay(guide, way, wanted);
  if ("connected" in led || !led.failed.moved || guide.signal.aborted) return led;
  return follow(guide, way, { wanted, ending: led.failed, trail: freshTrail(wanted.number) });
}

/** A carrier that has no channel for us says so in one of these words. */
function looksFull({ cause }: Ending): boolean {
  return ["NORMAL_CIRCUIT_CONGESTION", "NORMAL_TEMPORARY_FAILURE", "USER_BUSY", "CALL_REJECTED"].includes(cause);
}

/** Somebody else's call on that trunk gives way. */
function makesRoom({ book, has }: Guide<HelpNeeds>, { trunk }: Way): boolean {
  const spared = has.live.sparedOn(book.settings.id, trunk);
  spared?.tell({ is: "gives-way", trunk });
  spared?.hangUp("NORMAL_CIRCUIT_CONGESTION");
  return spared !== undefined;
}

/** Nothing waits for it: a database that is away keeps nobody from help. */
function tellThoseWhoRunIt(
  { call: { facts }, has: { errands, log } }: Guide<HelpNeeds>,
  { number }: OutsideCall,
): void {
  const { exchangeId, uuid, callerNumber, callerName } = facts;
  const details = { number: written(number), caller: callerNumber, call: uuid };
  log.warn({ ...details, exchangeId }, "an emergency number is called");
  const told = errands.run("help.called", { exchangeId, callerName, details });
  told.catch((error: Error) => log.error({ exchangeId, error: error.message }, "an emergency call was not told of"));
}

type HelpCalled = {
  exchangeId: number;
  callerName: string;
  details: { number: string; caller: string; call: string };
};

/** Those who run the exchange hear of it, though the database was away. */
export const helpErrands = {
  async "help.called"(db: Db, { exchangeId, callerName, details }: HelpCalled): Promise<void> {
    await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "emergency-call", details });
    await oweNotice(db, exchangeId, { is: "emergency-call", callerName, ...details });
  },
};
