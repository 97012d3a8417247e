// The calls of a stretch of time as a whole, in the few figures that everybody looks at first.

import type { Db } from "../store/db.ts";
import { answerRate, type Share, serviceLevel } from "../store/figures.ts";
import { type DirectionCounts, directionCounts, queueFigures, type Stretch } from "../store/reports.ts";

export type Summary = DirectionCounts & { answerRate: Share; abandoned: number; serviceLevel: Share };

export async function summaryOf(db: Db, stretch: Stretch): Promise<Summary> {
  const [counts, queues] = await Promise.all([directionCounts(db, stretch), queueFigures(db, stretch)]);
  const all = (of: (queue: (typeof queues)[number]) => number) => queues.reduce((sum, queue) => sum + of(queue), 0);
  const inQueues = { calls: all(({ calls }) => calls), inTime: all(({ inTime }) => inTime) };
  return {
    ...counts,
    answerRate: answerRate(counts),
    abandoned: all((queue) => queue.abandoned),
    serviceLevel: serviceLevel(inQueues),
  };
}
