// Pacing against plain ratio dialling on the same seeded days: how busy agents are, and how many answered in vain.
//
//   node bench/run.mjs bench/pacing.ts [hours] [first seed]

import { type CallCentre, type Day, workThrough } from "../test/pacing/call-centre.ts";
import { ABANDONED_CAP, bestRatio, meanUtilisation, paced } from "../test/pacing/diallers.ts";
import { figure } from "./figure.ts";

const hours = Number(process.argv[2] ?? 4);
const firstSeed = Number(process.argv[3] ?? 1);
/** Days: a small crew has few calls a day, so that luck weighs more. */
const crews = [
  { agents: 5, seeds: 30 },
  { agents: 50, seeds: 9 },
  { agents: 200, seeds: 3 },
];

const customers: [name: string, rates: number[]][] = [
  ["1 in 10 answers", [0.1]],
  ["1 in 4 answers", [0.25]],
  ["1 in 2 answers", [0.5]],
  ["4 in 5 answer", [0.8]],
  ["evenings answer", [0.15, 0.15, 0.6, 0.3]],
];
const telephones = [
  { ringSeconds: 12, talkSeconds: 120 },
  { ringSeconds: 18, talkSeconds: 60 },
];

console.log(
  `Days of ${hours} hours, more of them for smaller crews. Of those who answer at most ${ABANDONED_CAP * 100} % may find no agent.`,
);
console.log("Busy: agents' time spent with customers. In vain: on the worst of the days.");
console.log("Ratio: the best number of lines for each agent, chosen afterwards among those under the cap every day.\n");
console.log(row("agents", "customers", "ring", "talk", "busy", "in vain", "busy", "in vain", "ratio"));
let failed = 0;
const busy = { ours: 0, best: 0 };
for (const { agents, seeds } of crews)
  for (const [name, answerRates] of customers)
    for (const { ringSeconds, talkSeconds } of telephones) {
      const kind = { agents, answerRates, ringSeconds, talkSeconds, hours, patienceSeconds: 2 };
      const days = Array.from({ length: seeds }, (_, at): CallCentre => ({ ...kind, seed: firstSeed + at }));
      const ours = days.map((day) => workThrough(day, paced()));
      const best = bestRatio(days, ABANDONED_CAP);
      const good = worst(ours) <= ABANDONED_CAP && meanUtilisation(ours) >= meanUtilisation(best.days);
      if (!good) failed += 1;
      busy.ours += meanUtilisation(ours);
      busy.best += meanUtilisation(best.days);
      const times = [`${ringSeconds} s`, `${talkSeconds} s`];
      console.log(
        row(`${agents}`, name, ...times, ...shown(ours), ...shown(best.days), best.name, good ? "" : "WORSE"),
      );
    }
console.log(failed === 0 ? "\nUnder the cap in every case, and in none less busy." : `\nWorse in ${failed} cases.`);
figure({
  name: "agents-busy",
  value: (busy.ours / (crews.length * customers.length * telephones.length)) * 100,
  unit: "%",
  better: "more",
  yardstick: "the best ratio, chosen afterwards",
  ratio: busy.ours / busy.best,
  with: `pacing of campaigns, days of ${hours} hours`,
});
process.exitCode = failed === 0 ? 0 : 1;

function worst(days: Day[]): number {
  return Math.max(...days.map(({ share }) => share));
}

function shown(days: Day[]): string[] {
  return [meanUtilisation(days), worst(days)].map((share) => `${(share * 100).toFixed(2)} %`);
}

function row(...cells: string[]): string {
  const widths = [7, 16, 5, 6, 8, 8, 8, 8, 13];
  return cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" ");
}
