// What bin/bench.mjs starts: the benches asked for, one after the other, and one table of what they found.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { type Bench, benches } from "./benches.ts";
import type { Figure } from "./figure.ts";
import {
  besideEachOther,
  findUnsaid,
  findWorse,
  type Measured,
  merge,
  performancePage,
  printTable,
} from "./figure-table.ts";
import { runBench } from "./one-bench.ts";

type Asked = {
  names: string[];
  write: boolean;
  strict: boolean;
  long: boolean;
  /** The folder of another version's clone, and how often each of the two is measured. */
  beside?: string;
  turns: string;
};

const FIGURES = "bench/figures.json";
const PAGE = "docs/performance.md";

const asked = JSON.parse(process.argv[2] ?? "{}") as Asked; // bin/bench.mjs wrote it
const chosen = asked.names.length > 0 ? benches.filter(({ name }) => asked.names.includes(name)) : benches;
const committed = existsSync(FIGURES) ? (JSON.parse(readFileSync(FIGURES, "utf8")) as Measured[]) : [];
const machine = machineOf();
const now: Measured[] = [];
const ran: string[] = [];
const failures: string[] = [];
if (asked.beside === undefined) {
  for (const bench of chosen) await run(bench);
  report();
} else await runBeside(asked.beside, Number(asked.turns));

async function run(bench: Bench): Promise<void> {
  console.log(`\n${bench.name}`);
  const missing = bench.needs.filter((program) => !has(program));
  if (missing.length > 0) return fail(bench, `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing`);
  for (const program of bench.betterWith ?? []) if (!has(program)) console.log(`  ${program} is missing: no yardstick`);
  const { figures, seconds, failed } = await runBench(bench, {
    words: wordsOf(bench),
    say: (line) => console.log(`  ${line}`),
  });
  if (failed !== undefined) return fail(bench, failed);
  console.log(`  ${seconds.toFixed(0)} s, ${figures.length} figures`);
  ran.push(bench.name);
  now.push(...figures.map((figure) => ({ ...figure, bench: bench.name, machine })));
}

/** In turn and each first as often as the other, so that whatever else the machine does is done to both. */
async function runBeside(clone: string, turns: number): Promise<void> {
  for (const bench of chosen) {
    const [here, there]: [Figure[], Figure[]] = [[], []];
    for (let turn = 0; turn < turns; turn++)
      for (const isHere of turn % 2 === 0 ? [false, true] : [true, false]) {
        const where = isHere ? "." : clone;
        const ran = await runBench(bench, { words: wordsOf(bench), say: () => undefined, clone: where });
        if (ran.failed !== undefined) fail(bench, `${ran.failed} (in ${where})`);
        (isHere ? here : there).push(...ran.figures);
      }
    console.log(besideEachOther(here, there).join("\n"));
  }
  if (asked.strict && failures.length > 0) process.exitCode = 1;
}

function wordsOf({ words, long }: Bench): string[] {
  return asked.long ? (long ?? words) : words;
}

function fail(bench: Bench, why: string): void {
  failures.push(`${bench.name} failed: ${why}`);
  console.log(`  failed: ${why}`);
}

function report(): void {
  console.log(`\n${machine}\n\n${now.length > 0 ? printTable(now) : "no figures"}\n`);
  const worse = findWorse(committed, now);
  for (const { name, before, now, percent } of worse)
    console.log(`worse by ${percent} %: ${name}: ${now}, was ${before}`);
  for (const name of findUnsaid(committed, now, ran)) console.log(`not told this time: ${name}`);
  for (const failure of failures) console.log(failure);
  if (worse.length === 0 && committed.length > 0) console.log("Nothing is worse by more than 10 %.");
  if (asked.write) write();
  if (asked.strict && (worse.length > 0 || failures.length > 0)) process.exitCode = 1;
}

function write(): void {
  const all = merge(committed, now, { ran, order: benches.map(({ name }) => name) });
  writeFileSync(FIGURES, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(PAGE, performancePage(all));
  console.log(`${FIGURES} and ${PAGE} are written.`);
}

function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
}

/** As much as makes two machines comparable, and nothing that names one. */
function machineOf(): string {
  const told = cpus();
  const listed = spawnSync("lscpu", [], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).stdout ?? "";
  const model = /^Model name:\s+(.+)$/m.exec(listed)?.[1]?.trim() || told[0]?.model.trim() || "cores";
  return `${told.length} ${told.length === 1 ? "core" : "cores"} ${model} (${process.arch}), Node ${process.version.slice(1)}`;
}
