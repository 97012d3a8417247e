// When an alarm begins and when it ends: pure, by what was read and how long it has been so.
//
// It begins at its threshold, and ends only some way back from it and after a while: a figure that goes to and fro at the
// threshold makes one alarm, not many.

import { between, type Ticks } from "../../../clock.ts";
import type { AlarmAbout, AlarmRule } from "../../../store/queue-alarms.ts";

/** What is known of one queue for one reason. `since`: from when on it has been the other way. */
export type Watch = { isOn: boolean; since: Ticks | undefined };

export const QUIET: Watch = { isOn: false, since: undefined };

/** Null: there is nothing that could be good or bad. */
export type Reading = number | null;

export type Verdict = { watch: Watch; decides?: "begin" | "end" };

/** Somebody who is put through at once was no crowd. */
const HOLDS_MS: Record<AlarmAbout, number> = { "longest-wait": 0, waiting: 3_000, "service-level": 0 };
const CALM_MS = 10_000;

const BACK_BY = 0.75;
const BACK_BY_PERCENT = 2;

const isBad: Record<AlarmAbout, (value: number, threshold: number) => boolean> = {
  "longest-wait": (value, threshold) => value >= threshold,
  waiting: (value, threshold) => value >= threshold,
  "service-level": (value, threshold) => value < threshold,
};

const isGood: Record<AlarmAbout, (value: number, threshold: number) => boolean> = {
  "longest-wait": (value, threshold) => value < threshold * BACK_BY,
  waiting: (value, threshold) => value < threshold * BACK_BY,
  "service-level": (value, threshold) => value >= Math.min(100, threshold + BACK_BY_PERCENT),
};

export function judge(
  { isOn, since }: Watch,
  { about, threshold, reading, now }: { about: AlarmAbout; threshold: number; reading: Reading; now: Ticks },
): Verdict {
  const isOtherWay = isOn
    ? reading === null || isGood[about](reading, threshold)
    : reading !== null && isBad[about](reading, threshold);
  if (!isOtherWay) return { watch: { isOn, since: undefined } };
  const from = since ?? now;
  const isLongEnough = between(from, now) >= (isOn ? CALM_MS : HOLDS_MS[about]);
  const watch = { isOn, since: from };
  return isLongEnough ? { watch, decides: isOn ? "end" : "begin" } : { watch };
}

/** Nought: not watched for. */
export function thresholdsOf(rule: AlarmRule): Record<AlarmAbout, number> {
  return { "longest-wait": rule.waitSeconds, waiting: rule.waiting, "service-level": rule.levelPercent };
}

/** The worse of two. */
export function worseOf(about: AlarmAbout, one: number, other: number): number {
  return about === "service-level" ? Math.min(one, other) : Math.max(one, other);
}

/** Of a handful of calls one alone is a fifth: that says nothing yet. */
const FEWEST_CALLS = 5;

/** In whole per cent. */
export function levelOf({ calls, level }: { calls: number; level: number | null }): Reading {
  return calls < FEWEST_CALLS || level === null ? null : Math.floor(level * 100);
}
