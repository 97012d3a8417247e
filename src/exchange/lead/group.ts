// A ring group: its members ring at once or one after the other, inside and outside.

import type { Db } from "../../store/db.ts";
import { findRingGroup, listRingGroupMembers, type RingGroup, type RingGroupMember } from "../../store/ring-groups.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { mostTelling } from "../calls/ring.ts";
import { phoneNumber } from "../plan/numbers.ts";
import { callerIdOf } from "./caller-id.ts";
import type { Extensions } from "./extension.ts";
import type { Guide } from "./guide.ts";
import type { LeadOutside } from "./outside.ts";

type Strategy = "simultaneous" | "sequential" | "random" | "least-busy";

export type GroupParts = {
  db: Db;
  live: Pick<LiveCalls, "of">;
  /** 0 to 1. */
  chance(): number;
  extensions: Extensions;
  outside: LeadOutside;
};

export async function leadToGroup(parts: GroupParts, guide: Guide, number: string): Promise<Led> {
  const exchangeId = guide.book.settings.id;
  const group = await findRingGroup(parts.db, exchangeId, number);
  if (!group || guide.visits(`group ${number}`) > 1) {
    guide.call.tell(group ? `has already been at group ${number}` : `there is no group ${number}`);
    return { failed: { cause: group ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  guide.call.note({ queue: number });
  guide.call.tell(`rings group ${number} (${group.name}), ${group.strategy}`);
  const members = await listRingGroupMembers(parts.db, exchangeId, number);
  const order = inOrder(parts, group.strategy as Strategy, { members, exchangeId }); // the column's check knows no other words
  const ring = (by: Guide, member: RingGroupMember) => ringMember(parts, by, { group, member });
  const led =
    group.strategy === "simultaneous" ? await ringAll(guide, order, ring) : await ringInTurn(guide, order, ring);
  if ("connected" in led || guide.signal.aborted || !group.noAnswerTarget) return led;
  guide.call.tell(`nobody of group ${number} took the call`);
  return guide.goTo(group.noAnswerTarget);
}

type RingMember = (guide: Guide, member: RingGroupMember) => Promise<Led>;

async function ringInTurn(guide: Guide, members: RingGroupMember[], ring: RingMember): Promise<Led> {
  const endings: Ending[] = [];
  for (const member of members) {
    const led = await ring(guide, member);
    if ("connected" in led || guide.signal.aborted) return led;
    endings.push(led.failed);
  }
  return { failed: mostTelling(endings) };
}

/** The first that answers stops the others. */
async function ringAll(guide: Guide, members: RingGroupMember[], ring: RingMember): Promise<Led> {
  const taken = new AbortController();
  const signal = AbortSignal.any([guide.signal, taken.signal]);
  const endings: Ending[] = [];
  let winner: Led | undefined;
  await Promise.all(
    members.map(async (member) => {
      const led = await ring(guide.alongside(signal), member);
      if ("failed" in led) return void endings.push(led.failed);
      if (winner) return led.connected.end("LOSE_RACE");
      winner = led;
      return taken.abort("LOSE_RACE");
    }),
  );
  return winner ?? { failed: mostTelling(endings) };
}

function ringMember(
  { extensions, outside }: GroupParts,
  guide: Guide,
  { group: { ringSeconds: seconds }, member }: { group: RingGroup; member: RingGroupMember },
): Promise<Led> {
  if ("extension" in member) return extensions.lead(guide, member.extension, { seconds, forwards: false });
  const number = phoneNumber(member.external);
  const callerId = callerIdOf(guide, "");
  if (!number || !callerId) return Promise.resolve({ failed: { cause: "INVALID_NUMBER_FORMAT" } });
  return outside(guide, { number, callerId, name: "", seconds });
}

/** Least busy: those on the fewest calls first; among equals the written order. */
function inOrder(
  { chance, live }: GroupParts,
  strategy: Strategy,
  { members, exchangeId }: { members: RingGroupMember[]; exchangeId: number },
): RingGroupMember[] {
  if (strategy === "random") return rotated(members, chance());
  if (strategy !== "least-busy") return members;
  const load = (member: RingGroupMember) => ("extension" in member ? live.of(exchangeId, member.extension).length : 0);
  return members.toSorted((one, other) => load(one) - load(other));
}

/** Each call begins with another member and goes round from there. */
function rotated<Item>(items: readonly Item[], chance: number): Item[] {
  const first = Math.floor(chance * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
