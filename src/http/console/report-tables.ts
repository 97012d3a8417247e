// The tables of the reports to download: a line a queue, agent, number, campaign and extension.

import { Type } from "typebox";
import { Value } from "typebox/value";
import { inQuarters } from "../../store/call-sums.ts";
import type { Db } from "../../store/db.ts";
import { type Share, serviceLevel } from "../../store/figures.ts";
import { campaignFigures, extensionFigures, numberFigures, queueFigures, type Stretch } from "../../store/reports.ts";
import { moment } from "./operations/fields.ts";
import { agentsOf } from "./operations/reports.ts";
import { stretchOf } from "./operations/stretch.ts";
import type { Cell } from "./workbook.ts";

type Asked = { db: Db; stretch: Stretch; nowMs: number };
type Line = Readonly<Record<string, Cell>>;

export const reportTables: Readonly<Record<string, (asked: Asked) => Promise<Line[]>>> = {
  queues: async ({ db, stretch }) =>
    (await queueFigures(db, stretch)).map((it) => ({
      queue: it.queue,
      name: it.name,
      calls: it.calls,
      answered: it.answered,
      abandoned: it.abandoned,
      in_time: it.inTime,
      promised_seconds: it.promisedSeconds,
      service_level_percent: percent(serviceLevel(it)),
      average_wait_seconds: it.averageWait,
      longest_wait_seconds: it.longestWait,
      average_talk_seconds: it.averageTalk,
    })),
  agents: async ({ db, stretch, nowMs }) =>
    (await agentsOf(db, stretch, nowMs)).map((it) => ({
      agent: it.extension,
      name: it.name,
      offered: it.offered,
      answered: it.answered,
      missed: it.missed,
      talk_seconds: it.talkSeconds,
      wrap_up_seconds: it.wrapUpSeconds,
      available_seconds: it.availableSeconds,
      break_seconds: it.breakSeconds,
      occupancy_percent: percent(it.occupancy),
      breaks: it.breaks.map(({ description, seconds }) => `${description || "…"} ${seconds}`).join(", "),
    })),
  numbers: async ({ db, stretch }) =>
    (await numberFigures(db, stretch)).map((it) => ({
      number: it.number,
      incoming: it.incoming,
      answered: it.answered,
      missed: it.missed,
      outgoing: it.outgoing,
      talk_seconds: it.talk,
    })),
  campaigns: async ({ db, stretch }) =>
    (await campaignFigures(db, stretch)).map((it) => ({
      campaign: it.name,
      calls: it.calls,
      answered: it.answered,
      talk_seconds: it.talk,
    })),
  extensions: async ({ db, stretch }) =>
    (await extensionFigures(db, stretch)).map((it) => ({
      extension: it.extension,
      name: it.name,
      made: it.made,
      taken: it.taken,
      missed: it.missed,
      talk_seconds: it.talk,
      average_talk_seconds: it.averageTalk,
    })),
};

/** To a tenth. */
function percent(share: Share): Cell {
  return share === null ? "" : Math.round(share * 1_000) / 10;
}

const Wanted = Type.Object({ from: moment(), before: moment() });

/** The days asked for in a query string; nothing where it asks for nonsense. */
export function reportStretch(
  query: URLSearchParams,
  whose: Pick<Stretch, "exchangeId" | "timeZone" | "within">,
): Stretch | undefined {
  const sent = Object.fromEntries(query);
  return Value.Check(Wanted, sent) ? inQuarters({ ...stretchOf(sent), ...whose }) : undefined;
}

export function tableOf(lines: readonly Line[]): Cell[][] {
  const names = Object.keys(lines[0] ?? {});
  return [names, ...lines.map((line) => names.map((name) => line[name] ?? ""))];
}
