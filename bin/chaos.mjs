// npm run chaos -- [--minutes 60] [--seed 7] [--only kill,stop] [--pairs 8]: whatever can go wrong does, and every promise
// is held against what people were told. --soak HOURS [--calls 300] has no faults, and looks for what grows.

import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { root } from "./build.mjs";

const USAGE =
  "usage: npm run chaos -- [--minutes 10] [--seed N] [--only fault,fault] [--pairs 4] | --soak HOURS [--calls 300]";

let asked;
try {
  const text = { type: "string" };
  asked = parseArgs({
    options: { minutes: text, seed: text, only: text, pairs: text, soak: text, calls: text },
  }).values;
} catch (error) {
  fail(error.message);
}
for (const [name, value] of Object.entries(asked))
  if (name !== "only" && !(Number(value) > 0)) fail(`--${name} wants a number above nothing, not "${value}"`);

const seed = asked.seed ?? String(1 + Math.floor(Math.random() * 1_000_000));
const given = asked.soak
  ? { SANTRAL_SOAK_HOURS: asked.soak, SANTRAL_SOAK_CALLS: asked.calls }
  : {
      SANTRAL_CHAOS_MINUTES: asked.minutes ?? "10",
      SANTRAL_CHAOS_SEED: seed,
      SANTRAL_CHAOS_ONLY: asked.only,
      SANTRAL_CHAOS_PAIRS: asked.pairs,
    };
const env = { ...process.env, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
const file = asked.soak ? "test/chaos/soak.test.ts" : "test/chaos/chaos.test.ts";
const child = spawn("npx", ["vitest", "run", file], { cwd: root, env, stdio: "inherit" });
child.on("exit", (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));

function fail(why) {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
