// Figures of many benches put together: read from what they printed, compared with the committed ones, shown as tables.

import type { Figure } from "./figure.ts";
import { freeswitch } from "./freeswitch.ts";

/** A figure as it is committed: which bench it is of, and on what it was measured. */
export type Measured = Figure & { bench: string; machine: string };

export type Worse = { name: string; before: string; now: string; percent: number };

/** What is worse by less may well be chance. */
const MORE_THAN = 1.1;
const UNITS = ["ms", "/s", "%", "MB", "x", "s"];

/** The figure that a line of a bench's output tells; undefined for every other line. */
export function readFigure(line: string): Figure | undefined {
  if (!line.startsWith("FIGURE ")) return undefined;
  const said = new Map<string, string>();
  for (const [, key, quoted, plain] of line.matchAll(/(\w+)=(?:("(?:[^"\\]|\\.)*")|(\S+))/g))
    said.set(key!, quoted ? (JSON.parse(quoted) as string) : plain!); // one of the two matched
  const [name, value, unit, better] = ["name", "value", "unit", "better"].map((key) => said.get(key) ?? "");
  const isWhole = name && value !== "" && Number.isFinite(Number(value)) && UNITS.includes(unit ?? "");
  if (!isWhole || (better !== "less" && better !== "more")) throw new Error(`this is no figure: ${line}`);
  const [goal, ratio, yardstick] = [said.get("goal"), said.get("ratio"), said.get("yardstick")];
  return {
    name,
    value: Number(value),
    unit: unit as Figure["unit"], // one of UNITS
    better,
    ...(goal !== undefined && { goal: Number(goal) }),
    ...(yardstick !== undefined && { yardstick }),
    ...(ratio !== undefined && Number.isFinite(Number(ratio)) && { ratio: Number(ratio) }),
    with: said.get("with") ?? "",
  };
}

/** By ratio to the yardstick where both have one; plain values only say something about one and the same machine. */
export function findWorse(before: readonly Measured[], now: readonly Measured[]): Worse[] {
  return now.flatMap((figure) => {
    const old = before.find(({ name }) => name === figure.name);
    if (!old || old.better !== figure.better || old.unit !== figure.unit) return [];
    const byRatio = old.ratio !== undefined && figure.ratio !== undefined && old.yardstick === figure.yardstick;
    if (!byRatio && old.machine !== figure.machine) return [];
    const [was, is] = byRatio ? [old.ratio!, figure.ratio!] : [old.value, figure.value]; // looked at above
    const times = figure.better === "less" ? is / was : was / is;
    if (!(times > MORE_THAN)) return [];
    const shown = (it: Measured) => (byRatio ? `${it.ratio} x ${it.yardstick}` : told(it));
    return [{ name: figure.name, before: shown(old), now: shown(figure), percent: Math.round((times - 1) * 100) }];
  });
}

/** Noise only makes slower, so that the best of several turns says most of a version. */
export function besideEachOther(here: readonly Figure[], there: readonly Figure[]): string[] {
  const names = [...new Set(here.map(({ name }) => name))];
  return names.map((name) => {
    const [ours, theirs] = [best(here, name), best(there, name)];
    if (!ours || !theirs) return `${name}: not there before`;
    const times = ours.better === "less" ? ours.value / theirs.value : theirs.value / ours.value;
    const percent = Math.round((times - 1) * 1_000) / 10;
    const verdict = percent > 0 ? `worse by ${percent} %` : percent < 0 ? `better by ${-percent} %` : "the same";
    return `${name}: ${told(theirs)} there, ${told(ours)} here, ${verdict}`;
  });
}

function best(figures: readonly Figure[], name: string): Figure | undefined {
  const all = figures.filter((it) => it.name === name);
  return all.sort((one, other) => (one.better === "less" ? one.value - other.value : other.value - one.value))[0];
}

/** What a bench did not say this time though it ran. */
export function findUnsaid(before: readonly Measured[], now: readonly Measured[], ran: readonly string[]): string[] {
  const said = new Set(now.map(({ name }) => name));
  return before.filter(({ name, bench }) => ran.includes(bench) && !said.has(name)).map(({ name }) => name);
}

/** Those of benches that ran are replaced, the others stay; in the order of the benches. */
export function merge(
  before: readonly Measured[],
  now: readonly Measured[],
  { ran, order }: { ran: readonly string[]; order: readonly string[] },
): Measured[] {
  const all = [...before.filter(({ bench }) => !ran.includes(bench)), ...now];
  return all.sort((one, other) => order.indexOf(one.bench) - order.indexOf(other.bench));
}

export function hasReached({ value, goal, better }: Figure): boolean | undefined {
  if (goal === undefined) return undefined;
  return better === "less" ? value <= goal : value >= goal;
}

export function printTable(figures: readonly Measured[]): string {
  const head = ["figure", "value", "goal", "", "ratio", "with"];
  const rows = figures.map((it) => [it.name, told(it), toldGoal(it), toldReached(it), toldRatio(it), it.with]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** docs/performance.md as a whole. */
export function performancePage(figures: readonly Measured[]): string {
  const machines = [...new Set(figures.map(({ machine }) => machine))];
  const parts = machines.map((machine) =>
    [`## ${machine}`, "", ...tableOf(figures.filter((it) => it.machine === machine))].join("\n"),
  );
  return `${[...OPENING, ...parts].join("\n\n")}\n`;
}

const OPENING = [
  "# Performance",
  "Written by `npm run bench -- --write`; what a bench does stands at the top of its file in `bench/`. Costs are CPU time, of the server with all its threads and processes and of its database, not time by the clock. A ratio is to the yardstick of the same run, so that machines can be compared; a figure says what was switched on.",
  "FreeSWITCH stands for FreeSWITCH 1.11, measured on one core of a like machine, interleaved with ours, by CPU time.",
];

function tableOf(figures: readonly Measured[]): string[] {
  const row = (...cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    row("Figure", "Value", "Goal", "FreeSWITCH", "Ratio to the yardstick of the same run", "What was switched on"),
    "|---|---|---|---|---|---|",
    ...figures.map((it) =>
      row(
        it.name,
        told(it),
        [toldGoal(it), toldReached(it)].join(" ").trim(),
        freeswitch[it.name] ?? "",
        toldRatio(it),
        it.with,
      ),
    ),
  ];
}

const told = ({ value, unit }: Figure) => withUnit(value, unit);
const toldGoal = ({ goal, unit }: Figure) => (goal === undefined ? "" : withUnit(goal, unit));
const toldRatio = ({ ratio, yardstick }: Figure) => (ratio === undefined ? "" : `${ratio} x ${yardstick ?? ""}`.trim());

function toldReached(figure: Figure): string {
  const reached = hasReached(figure);
  return reached === undefined ? "" : reached ? "reached" : "not reached";
}

function withUnit(value: number, unit: Figure["unit"]): string {
  const text = Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString("en") : String(value);
  return unit === "/s" ? `${text}/s` : `${text} ${unit}`;
}
