// A target that somebody typed: whether the grammar knows it, it makes sense in its place, and what it names exists.

import { findAnnouncement } from "../../store/announcements.ts";
import type { Db } from "../../store/db.ts";
import { isInDialPlan } from "../../store/dial-plan.ts";
import type { Noun } from "../../store/refusal.ts";
import {
  aboutTarget,
  isBadTarget,
  isNamedTarget,
  mayStandIn,
  type Place,
  parseTarget,
  printRest,
  printTarget,
} from "./target.ts";

export type TargetProblem =
  | { problem: "unreadable" }
  | { problem: "named"; kind: string }
  | { problem: "out-of-place"; kind: string }
  | { problem: "not-there"; noun: Noun | "sound"; which: string };

/** The printed form of the target, or what is wrong with it. */
export async function checkTarget(
  text: string,
  place: Place,
  { db, exchangeId }: { db: Db; exchangeId: number },
): Promise<{ target: string } | TargetProblem> {
  const parsed = parseTarget(text);
  if (isBadTarget(parsed)) return { problem: "unreadable" };
  if (isNamedTarget(parsed)) return { problem: "named", kind: parsed.named };
  if (!mayStandIn(place, parsed)) return { problem: "out-of-place", kind: parsed.to };
  const { names: noun } = aboutTarget(parsed.to);
  const which = printRest(parsed);
  if (noun && !(await isThere(noun, which, { db, exchangeId }))) return { problem: "not-there", noun, which };
  return { target: printTarget(parsed) };
}

function isThere(noun: Noun | "sound", which: string, { db, exchangeId }: { db: Db; exchangeId: number }) {
  if (noun === "sound") return hasSound(db, exchangeId, Number(which));
  return isInDialPlan(db, { exchangeId, noun, number: which });
}

export async function hasSound(db: Db, exchangeId: number, id: number): Promise<boolean> {
  return (await findAnnouncement(db, exchangeId, id)) !== undefined;
}
