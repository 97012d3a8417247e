// A ring group: its members ring at once or one after the other, inside and outside.

import type { GroupStrategy } from "../../nouns/choices.ts";
import { findRingGroup, listRingGroupMembers, type RingGroup, type RingGroupMember } from "../../store/ring-groups.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { Party } from "../calls/party.ts";
import { mostTelling } from "../calls/ring.ts";
import { comesTo, leaves, passedOn } from "../calls/stays.ts";
import { ringsAt } from "../legs/called-legs.ts";
import { nationally, phoneNumber } from "../plan/numbers.ts";
import { callerIdOf } from "./caller-id.ts";
import { leadToExtension, type RingNeeds } from "./extension.ts";
import type { Guide } from "./guide.ts";
import { leadOutside, type OutsideNeeds } from "./outside.ts";
import { isAsleep } from "./waking.ts";

/** `chance`: 0 to 1. */
export type GroupNeeds = RingNeeds & OutsideNeeds & { chance(): number };
type GroupGuide = Guide<GroupNeeds>;

export async function leadToGroup(guide: GroupGuide, number: string): Promise<Led> {
  const exchangeId = guide.book.settings.id;
  const group = await findRingGroup(guide.has.db, exchangeId, number);
  if (!group || guide.visits(`group ${number}`) > 1) {
    guide.call.tell(group ? { is: "group-again", group: number } : { is: "no-such", what: "group", which: number });
    return { failed: { cause: group ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  const { call } = guide;
  // Where an agent sends his calls, the caller does not come: he waits on.
  const stays = guide.isAside() ? undefined : comesTo(call.facts, number, call.clock.wall());
  call.note({ queue: number, ...(stays && { stays }) });
  const members = await listRingGroupMembers(guide.has.db, exchangeId, number);
  const strategy = group.strategy as GroupStrategy; // the column's check knows no other words
  const rung = guide.has.legs.called.left(guide.call.facts.uuid);
  const isRung = (member: RingGroupMember) => rung.some((leg) => ringsAt(leg, placeOf(member)));
  const goesOn = members.some(isRung);
  if (!goesOn) guide.call.tell({ is: "rings-group", group: number, name: group.name, strategy });
  const inLine = inOrder(strategy, members, guide);
  const order = goesOn ? leftOver(strategy, inLine, isRung, (member) => mayCome(guide, member)) : inLine;
  const led = strategy === "simultaneous" ? await ringAll(guide, group, order) : await ringInTurn(guide, group, order);
  if (stays && "connected" in led)
    call.note({ stays: leaves(call.facts, { nowMs: call.clock.wall(), end: "answered" }) });
  if ("connected" in led || guide.signal.aborted || !group.noAnswerTarget) return led;
  call.tell({ is: "group-gives-up", group: number });
  call.note({ lastCause: led.failed.cause, ...(stays && passedOn(call.facts, call.clock.wall())) });
  return guide.goTo(group.noAnswerTarget);
}

/** When some ring already: all that were rung at once do, or those before have had their turn, but who may still come. */
function leftOver(
  strategy: GroupStrategy,
  order: RingGroupMember[],
  isRung: (member: RingGroupMember) => boolean,
  mayCome: (member: RingGroupMember) => boolean,
): RingGroupMember[] {
  const first = strategy === "simultaneous" ? order.length : order.findIndex(isRung);
  return order.filter((member, at) => at >= first || isRung(member) || mayCome(member));
}

function placeOf(member: RingGroupMember): Pick<Party, "is" | "number"> {
  if ("extension" in member) return { is: "extension", number: member.extension };
  const number = phoneNumber(member.external);
  return { is: "outside", number: number ? nationally(number) : "" };
}

/** Who has to open his phone first is told when it is his turn; the next one is rung meanwhile. */
async function ringInTurn(guide: GroupGuide, group: RingGroup, members: RingGroupMember[]): Promise<Led> {
  const race = raceOf(guide, group);
  const coming: Promise<void>[] = [];
  for (const member of members) {
    if (race.isOver()) break;
    const isComing = mayCome(guide, member);
    const turn = race.ring(member);
    if (isComing) coming.push(turn);
    else await turn;
  }
  await Promise.all(coming);
  return race.led();
}

async function ringAll(guide: GroupGuide, group: RingGroup, members: RingGroupMember[]): Promise<Led> {
  const race = raceOf(guide, group);
  await Promise.all(members.map((member) => race.ring(member)));
  return race.led();
}

/** The first that answers stops the others. */
function raceOf(guide: GroupGuide, group: RingGroup) {
  const taken = new AbortController();
  const signal = AbortSignal.any([guide.signal, taken.signal]);
  const endings: Ending[] = [];
  let winner: Led | undefined;
  return {
    isOver: () => signal.aborted,
    led: (): Led => winner ?? { failed: mostTelling(endings) },
    async ring(member: RingGroupMember): Promise<void> {
      const led = await ringMember(guide.alongside(signal), group, member);
      if ("failed" in led) return void endings.push(led.failed);
      if (winner) return led.connected.end("LOSE_RACE");
      winner = led;
      return taken.abort("LOSE_RACE");
    },
  };
}

function mayCome({ book, has }: GroupGuide, member: RingGroupMember): boolean {
  return "extension" in member && isAsleep(has, book, member.extension);
}

function ringMember(
  guide: GroupGuide,
  { ringSeconds, followsForwards, strategy }: RingGroup,
  member: RingGroupMember,
): Promise<Led> {
  const forwards = followsForwards ? "to somebody" : "nowhere";
  // Where one rings after the other, somebody who may still come would make the turn of a phone that rings longer.
  const wakes = strategy === "simultaneous" || mayCome(guide, member);
  if ("extension" in member) return leadToExtension(guide, member.extension, { seconds: ringSeconds, forwards, wakes });
  const number = phoneNumber(member.external);
  const callerId = callerIdOf(guide, "");
  if (!number || !callerId) return Promise.resolve({ failed: { cause: "INVALID_NUMBER_FORMAT" } });
  return leadOutside(guide, { number, callerId, name: "", seconds: ringSeconds, isOneOfMany: true });
}

/** Least busy: those on the fewest calls first; among equals the written order. */
function inOrder(strategy: GroupStrategy, members: RingGroupMember[], guide: GroupGuide): RingGroupMember[] {
  if (strategy === "random") return rotated(members, guide.has.chance());
  if (strategy !== "least-busy") return members;
  const load = (member: RingGroupMember) =>
    "extension" in member ? guide.has.live.of(guide.book.settings.id, member.extension).length : 0;
  return members.toSorted((one, other) => load(one) - load(other));
}

/** Each call begins with another member and goes round from there. */
function rotated<Item>(items: readonly Item[], chance: number): Item[] {
  const first = Math.floor(chance * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
