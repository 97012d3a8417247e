// Where a dialled number leads, and every other place that needs no feature: inside, outside, a menu, a sentence, the end.

import type { Db } from "../../store/db.ts";
import type { Led } from "../calls/call.ts";
import { dialledGoal, type Goals } from "../calls/goal.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { readNumber, written } from "../plan/numbers.ts";
import { leadToAnnouncement, leadToSpeech } from "./announce.ts";
import { callerIdOf } from "./caller-id.ts";
import type { Extensions } from "./extension.ts";
import { leadToGroup } from "./group.ts";
import type { Guide } from "./guide.ts";
import { leadToMenu } from "./menu.ts";
import type { LeadOutside } from "./outside.ts";
import { type DialledCode, type GoalScripts, noSuchPlace, type TargetScripts } from "./scripts.ts";

export type DialParts = {
  db: Db;
  live: Pick<LiveCalls, "of">;
  /** 0 to 1. */
  chance(): number;
  extensions: Extensions;
  outside: LeadOutside;
  codes: readonly DialledCode[];
};

export function dialScripts(parts: DialParts): {
  goals: Pick<GoalScripts, "dialled" | "number" | "desk" | "outside">;
  targets: Pick<TargetScripts, "user" | "external" | "hangup" | "group" | "ivr" | "announcement" | "tts" | "restart">;
} {
  const { db, extensions, outside } = parts;
  return {
    goals: {
      dialled: (guide, { number, by }) => leadToDialled(parts, guide, { dialled: number, by }),
      number: (guide, goal) => leadToNumber(parts, guide, goal),
      desk: extensions.fetch,
      outside: (guide, { number, callerId, seconds }) => outside(guide, { number, callerId, name: "", seconds }),
    },
    targets: {
      user: (guide, { number }) => extensions.lead(guide, number),
      external: (guide, { number }, by = guide.call.facts.dialedUser) =>
        leadToDialled(parts, guide, { dialled: number, by }),
      hangup: async (guide, { how }) => {
        guide.call.tell(how === "busy" ? "is given the busy tone" : "is hung up");
        return { failed: { cause: how === "busy" ? "USER_BUSY" : "NORMAL_CLEARING" } };
      },
      group: (guide, { number }) => leadToGroup(parts, guide, number),
      ivr: (guide, { number }) => leadToMenu(db, guide, number),
      announcement: (guide, { id }) => leadToAnnouncement(guide, id),
      tts: leadToSpeech,
      restart: noSuchPlace,
    },
  };
}

async function leadToDialled(
  parts: DialParts,
  guide: Guide,
  { dialled, by }: { dialled: string; by: string },
): Promise<Led> {
  const { book, call } = guide;
  const goal = dialledGoal(dialled, by, (candidate) => book.extensions.has(candidate));
  if (goal.is === "number") return leadToNumber(parts, guide, goal);
  const read = readNumber(dialled);
  const code = read.is === "service" ? read.code : "";
  const found = parts.codes.find((it) => code.startsWith(it.code) && it.follows.test(code.slice(it.code.length)));
  if (found) return found.lead(guide, code.slice(found.code.length), by);
  call.tell(`${dialled} is no telephone number`);
  return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
}

async function leadToNumber(parts: DialParts, guide: Guide, { number, by, seconds }: Goals["number"]): Promise<Led> {
  const { book, call } = guide;
  if (number.is === "extension") return leadInside(parts, guide, number.number, seconds);
  const callerId = callerIdOf(guide, by);
  if (callerId === undefined) {
    call.tell("there is no number of ours to show");
    return { failed: { cause: "FACILITY_REJECTED" } };
  }
  call.note({ outboundCallerId: written(callerId) });
  const name = book.extensions.get(by)?.name ?? "";
  return parts.outside(guide, { number, callerId, name, seconds: seconds ?? book.settings.ringSeconds * 2 });
}

/** Extensions, groups, queues and menus share one set of numbers. */
function leadInside({ extensions }: DialParts, guide: Guide, number: string, seconds?: number): Promise<Led> {
  const place = guide.book.places.get(number);
  if (!place) return extensions.lead(guide, number, { seconds });
  return guide.goOn({ is: "target", target: { to: place, number } });
}
