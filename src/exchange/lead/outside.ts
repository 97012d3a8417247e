// Takes a caller to the public network: what he may dial, the number of ours he shows, and a trunk that works.

import type { CodecName } from "../../media/engine.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { Header } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { isBlocked } from "../../store/call-settings.ts";
import { nameOfCaller } from "../../store/caller-names.ts";
import type { Db } from "../../store/db.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { Leg } from "../calls/leg.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { ringPhones } from "../calls/ring.ts";
import type { StoryFactOf } from "../calls/story.ts";
import type { Legs } from "../legs/legs.ts";
import { nationally, type PhoneNumber, written } from "../plan/numbers.ts";
import { isWorthAnotherTrunk } from "../signalling/trunks/failover.ts";
import type { Spending } from "../spending/spending.ts";
import { type SentOn, sentOnOutside } from "./caller-id.ts";
import type { Guide } from "./guide.ts";

/** One way to the outside: a trunk, or the telephone network in a box. */
export type Way = {
  /** Its name; null is the network in the box. */
  trunk: string | null;
  codecs: readonly CodecName[];
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** Undefined when every channel is taken. */
  seize(): { release(): void } | undefined;
  /** Told when the trunk itself could not carry the call. */
  failed?(): void;
  invite(call: OutsideInvite): {
    uri: string;
    destinations: readonly [Destination, ...Destination[]];
    from: string;
    to: string;
    headers: readonly Header[];
    account?: ClientAccount | undefined;
  };
};

/** Whom a trunk is to call, and what it may tell of the caller. */
export type OutsideInvite = Pick<OutsideCall, "callerId" | "name" | "withheld"> &
  SentOn & { to: PhoneNumber; exchangeId: number };

export type OutsideCall = {
  number: PhoneNumber;
  /** The number of ours that the other side sees. */
  callerId: PhoneNumber;
  name: string;
  /** The other side sees nobody. */
  withheld?: boolean | undefined;
  seconds: number;
  /** Told each time an INVITE is on its way. */
  left?: (() => void) | undefined;
};

export type OutsideNeeds = {
  db: Db;
  live: Pick<LiveCalls, "with" | "outsideLegs">;
  legs: Legs;
  spending: Spending;
  /** Trunks for a number in the order in which they are tried. */
  waysTo(exchangeId: number, number: PhoneNumber): Way[];
};

export async function leadOutside(guide: Guide<OutsideNeeds>, wanted: OutsideCall): Promise<Led> {
  const { call, book } = guide;
  const [barred] = await Promise.all([whyBarred(guide, wanted.number), nameCalled(guide, wanted.number)]);
  if (barred) {
    call.tell({ is: "barred", number: written(wanted.number), why: barred.why });
    return { failed: { cause: barred.cause } };
  }
  const ways = guide.has.waysTo(book.settings.id, wanted.number);
  let ending: Ending = { cause: ways.length === 0 ? "NO_ROUTE_DESTINATION" : "NORMAL_CIRCUIT_CONGESTION" };
  for (const way of ways) {
    const led = await tryWay(guide, way, wanted);
    if ("connected" in led) return led;
    ending = led.failed;
    if (guide.signal.aborted || !isTrunksFault(ending, led.rang === true)) return { failed: ending };
    way.failed?.();
  }
  return { failed: ending };
}

/** The record says whom we called, where the exchange's own contacts know him. */
async function nameCalled({ call, book, has }: Guide<OutsideNeeds>, number: PhoneNumber): Promise<void> {
  const { exchangeId, direction, destinationNumber, destinationName } = call.facts;
  const isTheOne = direction === "outbound" && destinationName === "" && destinationNumber === written(number);
  if (!isTheOne || book.empty.has("contacts")) return;
  const name = await nameOfCaller(has.db, { exchangeId, number: nationally(number) });
  if (name !== undefined) call.note({ destinationName: name });
}

/** Only then is another trunk tried, or the person would be rung twice. */
function isTrunksFault({ cause, sip }: Ending, rang: boolean): boolean {
  if (sip) return isWorthAnotherTrunk(sip, rang);
  if (cause === "NORMAL_CIRCUIT_CONGESTION") return !rang;
  if (cause === "NO_USER_RESPONSE") return isWorthAnotherTrunk({ is: "timeout" }, rang);
  return cause === "NETWORK_OUT_OF_ORDER" && isWorthAnotherTrunk({ is: "unreachable" }, rang);
}

async function tryWay(guide: Guide<OutsideNeeds>, way: Way, wanted: OutsideCall): Promise<Led & { rang?: boolean }> {
  const { call } = guide;
  const channel = way.seize();
  if (!channel) {
    call.tell({ is: "trunk-full", trunk: way.trunk });
    return { failed: { cause: "NORMAL_CIRCUIT_CONGESTION" } };
  }
  call.tell({ is: "dials", number: written(wanted.number), trunk: way.trunk, as: written(wanted.callerId) });
  const codecs = guide.codecs().filter((codec) => way.codecs.includes(codec));
  const invite = way.invite({
    to: wanted.number,
    callerId: wanted.callerId,
    name: wanted.name,
    withheld: wanted.withheld,
    ...sentOnOutside(guide),
    exchangeId: guide.book.settings.id,
  });
  const leg = guide.has.legs.outgoing(call.facts.uuid, {
    party: { is: "outside", number: written(wanted.number), name: "" },
    codecs: codecs.length > 0 ? codecs : way.codecs,
    near: guide.leg?.stream(),
    keepsFlow: false,
    t38: way.t38,
    left: wanted.left,
    ...invite,
    headers: [...guide.hops(), ...invite.headers],
  });
  void leg.over.then(() => channel.release());
  let rang = false;
  const rung = await ringPhones([leg], {
    clock: guide.clock,
    seconds: wanted.seconds,
    signal: guide.signal,
    onRinging: () => {
      rang = true;
      guide.rings(leg);
    },
    onEarlyMedia: () => guide.lets(leg),
  });
  if (!("answered" in rung)) return { ...rung, rang };
  meter(guide, leg, written(wanted.number));
  return { connected: rung.answered };
}

/** Which call the other side is in by then may have changed: it may have been sent on. */
function meter({ book, has }: Guide<OutsideNeeds>, leg: Leg, number: string): void {
  const { id: exchangeId } = book.settings;
  const stop = () => {
    const call = has.live.with(exchangeId, leg);
    call?.tell({ is: "spending-limit", number });
    call?.hangUp("ALLOTTED_TIMEOUT");
  };
  has.spending.meter({ exchangeId, number, over: leg.over, stop });
}

async function whyBarred(
  { book, has: { db, live, spending } }: Guide<OutsideNeeds>,
  number: PhoneNumber,
): Promise<{ why: StoryFactOf<"barred">["why"]; cause: HangupCause } | undefined> {
  const { id: exchangeId, internationalCalls, channelLimit } = book.settings;
  if (number.is === "international" && !internationalCalls)
    return { why: "international", cause: "INCOMING_CALL_BARRED" };
  if (channelLimit !== null && live.outsideLegs(exchangeId) >= channelLimit)
    return { why: "channels", cause: "NORMAL_CIRCUIT_CONGESTION" };
  if (!(await spending.allows(book, written(number)))) return { why: "spending-limit", cause: "INCOMING_CALL_BARRED" };
  if (book.empty.has("blocked numbers")) return undefined;
  const blocked = await isBlocked(db, { exchangeId, number: written(number), direction: "outbound" });
  return blocked ? { why: "blocked", cause: "INCOMING_CALL_BARRED" } : undefined;
}
