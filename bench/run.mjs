// Bundles one bench and runs it: node [node flags] bench/run.mjs bench/sip-parse.ts [arguments for the bench]

import { resolve } from "node:path";
import { runBundled } from "../bin/bundle.mjs";

const [entry, ...rest] = process.argv.slice(2);
if (entry === undefined) {
  console.error("usage: node bench/run.mjs bench/<name>.ts [arguments]");
  process.exit(2);
}
await runBundled(resolve(entry), rest);
