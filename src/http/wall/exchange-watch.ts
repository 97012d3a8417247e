// One exchange as screens on its walls see it: followed while at least one of them is lit, once for all of them.

import { type Clock, since, type Ticks } from "../../clock.ts";
import type { AlarmNow } from "../../exchange/features/alarms/alarm-now.ts";
import type { AgentNow, QueueNow } from "../../exchange/features/queues/floor-now.ts";
import type { Panel, PanelChange } from "../../exchange/panel.ts";
import type { Database } from "../../store/db.ts";
import type { QueueFigures } from "../../store/reports.ts";
import { queuesOfLate } from "../../store/reports-now.ts";
import type { WallState } from "./face.ts";

export type WatchParts = { panel: Panel; db: Database; clock: Clock };

export type ExchangeWatch = { look(): Promise<WallState>; stop(): void };

const FIGURES_MS = 10_000;

export function watchExchange(
  { panel, db, clock }: WatchParts,
  { exchangeId, timeZone }: { exchangeId: number; timeZone: string },
): ExchangeWatch {
  const viewer = panel.watch(exchangeId, () => undefined);
  const queues = new Map<string, QueueNow>();
  const agents = new Map<string, AgentNow>();
  const alarms = new Map<string, AlarmNow>();
  let figures: { read: Ticks; today: QueueFigures[] } | undefined;
  return {
    stop: viewer.stop,
    async look() {
      for (const change of await viewer.take("everything", { listeners: false })) take(change);
      const nowMs = clock.wall();
      if (!figures || since(clock, figures.read) >= FIGURES_MS) {
        const today = await queuesOfLate(db.forExchange(exchangeId), { exchangeId, timeZone, over: "day", nowMs });
        figures = { read: clock.ticks(), today };
      }
      const things = { queues: [...queues.values()], agents: [...agents.values()], alarms: [...alarms.values()] };
      return { nowMs, timeZone, ...things, today: figures.today };
    },
  };

  function take(change: PanelChange): void {
    if (change.what === "queue") keep(queues, change.id, change.now);
    if (change.what === "agent") keep(agents, change.id, change.now);
    if (change.what === "alarm") keep(alarms, change.id, change.now);
  }
}

function keep<Thing>(things: Map<string, Thing>, id: string, now: Thing | undefined): void {
  if (now === undefined) things.delete(id);
  else things.set(id, now);
}
