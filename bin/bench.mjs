// npm run bench [-- calls sms …] [--long] [--strict] [--write] [--beside=FOLDER]: what is measured, in one table, beside the committed one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./build.mjs";
import { runBundled } from "./bundle.mjs";

const USAGE = `usage: npm run bench [-- name …] [--long] [--strict] [--write] [--beside=FOLDER [--turns=N]]
  --long    the long form of those that have one
  --strict  ends with 1 when a bench failed or a figure got worse by more than 10 %
  --write   keeps the figures in bench/figures.json and docs/performance.md
  --beside  measures another version's clone in turn with this one, N times each (3), and tells the best of each`;

let asked;
try {
  const yes = { type: "boolean", default: false };
  const others = { beside: { type: "string" }, turns: { type: "string", default: "3" } };
  asked = parseArgs({ options: { long: yes, strict: yes, write: yes, ...others }, allowPositionals: true });
} catch (error) {
  fail(error.message);
}
const known = [...readFileSync(join(root, "bench/benches.ts"), "utf8").matchAll(/name: "([\w-]+)"/g)].map(
  ([, name]) => name,
);
const unknown = asked.positionals.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`no bench is called "${unknown}"; there are ${known.join(", ")}`);

await runBundled("bench/all.ts", [JSON.stringify({ names: asked.positionals, ...asked.values })], { cwd: root });

function fail(why) {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
