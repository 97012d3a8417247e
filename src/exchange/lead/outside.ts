// Takes a caller to the public network: what he may dial, the number of ours he shows, and a trunk that works.

import type { CodecName } from "../../media/engine.ts";
import { trunk } from "../../nouns/trunk.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { Moved } from "../../sip/headers/moved.ts";
import type { Header } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { nameOfCaller } from "../../store/caller-names.ts";
import type { PaidBy } from "../../store/spending.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { Leg } from "../calls/leg.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { ringPhones } from "../calls/ring.ts";
import type { StoryFactOf } from "../calls/story.ts";
import { ringsAt } from "../legs/called-legs.ts";
import type { Legs } from "../legs/legs.ts";
import type { LineTerms } from "../legs/line-terms.ts";
import { nationally, type PhoneNumber, written } from "../plan/numbers.ts";
import type { Rights } from "../plan/rights.ts";
import { type Failure, isTrunkTrouble, isWorthAnotherTrunk } from "../signalling/trunks/failover.ts";
import type { Onward } from "../signalling/trunks/onward.ts";
import { type BarringNeeds, whyBarred } from "./barring.ts";
import { type SentOn, sentOnOutside } from "./caller-id.ts";
import { followCarrier, freshTrail, type Trail } from "./carrier-redirect.ts";
import type { Guide } from "./guide.ts";
import { meterLeg } from "./meter-leg.ts";

/** One way to the outside: a trunk, or the telephone network in a box. */
export type Way = {
  /** Its name; null is the network in the box. */
  trunk: string | null;
  codecs: readonly CodecName[];
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** How long it may say nothing at all before the next is tried. */
  silentMs?: number;
  /** How long it may say nothing but that it tries. */
  progressMs?: number | undefined;
  /** The answers that let another trunk be tried: statuses, and classes of them such as 5xx. */
  nextOn?: readonly string[];
  terms?: LineTerms;
  /** Undefined when every channel is taken; `anyway` takes one more than there are. */
  seize(how?: { anyway: boolean }): { release(): void } | undefined;
  /** Where the carrier may send a call that we gave it, when it says that it is elsewhere. */
  onward?(moved: Moved, dialled: PhoneNumber): Promise<Onward | undefined>;
  /** Told when the trunk itself could not carry the call. */
  failed?(): void;
  /** What the other side sees, where that is not what was wanted. */
  shows?(call: { to: PhoneNumber; callerId: PhoneNumber | undefined }): PhoneNumber | undefined;
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
  /** For whoever asks what it has cost: the extension whose right it is, and what it is for. */
  by?: string | undefined;
  rights?: Rights | undefined;
  campaign?: PaidBy["campaign"];
  isFax?: true | undefined;
  /** The number of ours that the other side sees; only who calls for help needs none. */
  callerId: PhoneNumber | undefined;
  name: string;
  /** The other side sees nobody. */
  withheld?: boolean | undefined;
  seconds: number;
  /** Others are rung for the same caller, at the same time or in turn. */
  isOneOfMany?: true | undefined;
  /** By this trunk and no other, which is tried as if others followed: nobody waits longer than it may take. */
  only?: string | undefined;
  /** Told each time an INVITE is on its way. */
  left?: (() => void) | undefined;
};

export type OutsideNeeds = BarringNeeds & {
  live: Pick<LiveCalls, "with" | "carriedBy">;
  legs: Legs;
  /** Trunks for a number in the order in which they are tried. */
  waysTo(exchangeId: number, number: PhoneNumber): Way[];
  /** The trunk of that name, whatever rules and its health say. */
  wayBy(exchangeId: number, trunk: string): Way | undefined;
};

export async function leadOutside(
  guide: Guide<OutsideNeeds>,
  wanted: OutsideCall,
  trail: Trail = freshTrail(wanted.number),
): Promise<Led> {
  const { call, book } = guide;
  const [barred] = await Promise.all([
    whyBarred(guide.has, book, wanted.number, wanted),
    nameCalled(guide, wanted.number),
  ]);
  if (barred) {
    call.tell({ is: "barred", number: nationally(wanted.number), why: barred.why });
    return { failed: { cause: barred.cause } };
  }
  const ways = wanted.only === undefined ? fromWhereItRings(guide, wanted.number) : onlyWay(guide, wanted.only);
  let ending: Ending = { cause: ways.length === 0 ? "NO_ROUTE_DESTINATION" : "NORMAL_CIRCUIT_CONGESTION" };
  for (const [place, way] of ways.entries()) {
    const isLast = place === ways.length - 1 && wanted.only === undefined;
    const led = await tryWay(guide, way, { ...wanted, isLast });
    if ("connected" in led) return led;
    if (led.failed.moved) return follow(guide, way, { wanted, ending: led.failed, trail });
    ending = led.failed;
    const failure = failureIn(ending);
    const nextOn = way.nextOn ?? trunk.fields.next_on.default;
    if (guide.signal.aborted || !failure || !isWorthAnotherTrunk(failure, { rang: led.rang === true, nextOn }))
      return { failed: ending };
    tellFailure(call, way, ending);
  }
  return { failed: ending };
}

function onlyWay({ book, has }: Guide<OutsideNeeds>, trunk: string): Way[] {
  const way = has.wayBy(book.settings.id, trunk);
  return way ? [way] : [];
}

/** The trunks for a number. Where it rings by one of them already, those before have been tried. */
function fromWhereItRings({ call, book, has }: Guide<OutsideNeeds>, number: PhoneNumber): Way[] {
  const ways = has.waysTo(book.settings.id, number);
  const at = { is: "outside", number: nationally(number) } as const;
  const left = has.legs.called.left(call.facts.uuid);
  const first = ways.findIndex(({ trunk }) => left.some((leg) => ringsAt(leg, { ...at, trunk })));
  return first < 0 ? ways : ways.slice(first);
}

/** The carrier says that the call is elsewhere. */
export function follow(
  guide: Guide<OutsideNeeds>,
  way: Way,
  { wanted, ending, trail }: { wanted: OutsideCall; ending: Ending; trail: Trail },
): Promise<Led> {
  return followCarrier(guide, trail, {
    trunk: way.trunk,
    number: wanted.number,
    ending,
    read: async (moved) => way.onward?.(moved, wanted.number),
    async go(onward) {
      if ("number" in onward) return leadOutside(guide, { ...wanted, number: onward.number }, trail);
      const there: Way = { ...way, invite: (call) => ({ ...way.invite(call), ...onward }) };
      const led = await tryWay(guide, there, { ...wanted, isLast: true });
      if ("connected" in led || !led.failed.moved) return led;
      return follow(guide, way, { wanted, ending: led.failed, trail });
    },
  });
}

/** The record says whom we called, where the exchange's own contacts know him. */
async function nameCalled({ call, book, has }: Guide<OutsideNeeds>, number: PhoneNumber): Promise<void> {
  const { exchangeId, direction, destinationNumber, destinationName } = call.facts;
  const isTheOne = direction === "outbound" && destinationName === "" && destinationNumber === written(number);
  if (!isTheOne || book.empty.has("contacts")) return;
  const name = await nameOfCaller(has.db, { exchangeId, number: nationally(number) });
  if (name !== undefined) call.note({ destinationName: name });
}

/** No channel was free: the trunk has not even been asked. */
const FULL: Failure = { is: "unreachable" };

/** What the trunk did, as far as it was the trunk; undefined when it was somebody. */
function failureIn({ cause, sip, stalled }: Ending): Failure | undefined {
  if (sip) return sip;
  if (stalled) return { is: "stalled" };
  if (cause === "NORMAL_CIRCUIT_CONGESTION") return FULL;
  if (cause === "NO_USER_RESPONSE") return { is: "timeout" };
  return cause === "NETWORK_OUT_OF_ORDER" ? { is: "unreachable" } : undefined;
}

/** Told in the call's story, and to the trunk itself where it is in trouble. */
export function tellFailure(call: Guide["call"], way: Way, ending: Ending): void {
  const failure = failureIn(ending);
  if (!failure || failure === FULL) return;
  call.tell({ is: "trunk-failed", trunk: way.trunk, ...howFailed(failure) });
  if (isTrunkTrouble(failure)) way.failed?.();
}

function howFailed(failure: Failure): Pick<StoryFactOf<"trunk-failed">, "why" | "status"> {
  if ("status" in failure) return { why: "refused", status: failure.status };
  return { why: failure.is === "timeout" ? "silent" : failure.is };
}

export type Tried = OutsideCall & { isLast: boolean };

export async function tryWay(guide: Guide<OutsideNeeds>, way: Way, wanted: Tried): Promise<Led & { rang?: boolean }> {
  const { call } = guide;
  const isForHelp = wanted.number.is === "emergency";
  const channel = way.seize({ anyway: isForHelp });
  if (!channel) {
    call.tell({ is: "trunk-full", trunk: way.trunk });
    return { failed: { cause: "NORMAL_CIRCUIT_CONGESTION" } };
  }
  const shown = way.shows ? way.shows({ to: wanted.number, callerId: wanted.callerId }) : wanted.callerId;
  const as = shown ? written(shown) : "";
  const at = { is: "outside", number: nationally(wanted.number), trunk: way.trunk } as const;
  const [before] = guide.has.legs.called.takeUp(call.facts.uuid, at);
  if (!before) call.tell({ is: "dials", number: at.number, trunk: way.trunk, as });
  // Who talks already may get his call back; of several who ring, another may pick up.
  if (call.facts.answerMs === undefined && !wanted.isOneOfMany) becomesOutbound(guide, wanted.number, as);
  if (isForHelp && call.facts.outboundCallerId !== as) call.note({ outboundCallerId: as });
  const leg = before ?? legOver(guide, way, { ...wanted, callerId: shown });
  guide.has.live.carriedBy(leg, way.trunk);
  call.rings();
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
    progressMs: wanted.isLast ? undefined : progressMsOf(way, isForHelp),
  });
  if (!("answered" in rung)) {
    if (way.terms?.srtp === "required" && rung.failed.cause === "INCOMPATIBLE_DESTINATION")
      call.tell({ is: "not-encrypted", party: leg.party });
    return { ...rung, rang };
  }
  becomesOutbound(guide, wanted.number, as);
  if (!isForHelp) meter(guide, leg, { ...wanted, trunk: way.trunk });
  return { connected: rung.answered };
}

function legOver(guide: Guide<OutsideNeeds>, way: Way, wanted: Tried): Leg {
  const { number, callerId, name, withheld, left, isLast } = wanted;
  const exchangeId = guide.book.settings.id;
  const invite = way.invite({ to: number, callerId, name, withheld, ...sentOnOutside(guide), exchangeId });
  return guide.has.legs.outgoing(guide.call.facts.uuid, {
    party: { is: "outside", number: nationally(number), name: "" },
    of: { exchangeId, trunk: way.trunk },
    codecs: guide.codecs(way.codecs),
    near: guide.leg?.stream(),
    keepsFlow: false,
    t38: way.t38,
    endsWithUs: way.trunk === null,
    terms: way.terms,
    left,
    patience: { silentMs: way.silentMs, lastSilentMs: isLast ? undefined : way.silentMs },
    ...invite,
    headers: [...guide.hops(), ...invite.headers],
  });
}

/** Who waits for help is not kept waiting by a carrier that only tries. */
const HELP_PROGRESS_MS = 5_000;

const progressMsOf = ({ progressMs }: Way, isForHelp: boolean) =>
  isForHelp ? Math.min(progressMs ?? HELP_PROGRESS_MS, HELP_PROGRESS_MS) : progressMs;

/** A call between extensions that is forwarded or sent on to the outside is from then on what it is. */
function becomesOutbound({ call }: Guide, number: PhoneNumber, outboundCallerId: string): void {
  if (call.facts.direction !== "internal") return;
  call.note({ direction: "outbound", destinationNumber: written(number), destinationName: "", outboundCallerId });
}

function meter(
  { book, has, call }: Guide<OutsideNeeds>,
  leg: Leg,
  { number, by = "", campaign, isFax, trunk }: OutsideCall & Pick<Way, "trunk">,
): void {
  const extension = book.extensions.has(by) ? by : "";
  const spender = { kind: isFax ? "fax" : "call", callUuid: call.facts.uuid, trunk, extension, campaign } as const;
  meterLeg(has, { exchangeId: book.settings.id, leg, number: written(number), by: spender });
}
