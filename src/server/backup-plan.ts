// When a planned backup is due, and which of the old ones have to go.

import { localTime } from "../exchange/plan/hours.ts";
import type { BackupFile, BackupPlan } from "../http/console/operation/system-office.ts";

const DAY_MS = 86_400_000;
/** A backup of a week is due on the same day again, though it took its time. */
const SLACK_MS = 3_600_000;

/** After its time of day, if none was made today (or this week) since then. A server that slept through it makes it late. */
export function isDue({ every, at, timeZone }: BackupPlan, lastMs: number | undefined, nowMs: number): boolean {
  const now = localTime(nowMs, timeZone);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const minutesSince = now.minutes - (hours * 60 + minutes);
  if (minutesSince < 0) return false;
  if (lastMs === undefined) return true;
  const oldest = every === "day" ? nowMs - minutesSince * 60_000 - 60_000 : nowMs - 7 * DAY_MS + SLACK_MS;
  return lastMs < oldest;
}

/** Those that a plan made, the oldest first; whatever somebody made by hand stays. */
export function tooMany(files: readonly BackupFile[], keep: number): BackupFile[] {
  const planned = files.filter(({ name }) => isPlanned(name)).sort((a, b) => a.madeMs - b.madeMs);
  return planned.slice(0, Math.max(0, planned.length - keep));
}

export const isPlanned = (name: string): boolean => name.startsWith("planned-");
export const isBackupName = (name: string): boolean => /^(planned|made)-\d{8}-\d{6}\.santral$/.test(name);

export function backupName(kind: "planned" | "made", nowMs: number): string {
  const [day = "", time = ""] = new Date(nowMs).toISOString().replace(/[-:]/g, "").split(/[T.]/);
  return `${kind}-${day}-${time}.santral`;
}
