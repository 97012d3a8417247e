// Bundles one bench and runs it: node [node flags] bench/run.mjs bench/sip-parse.ts [arguments for the bench]

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const [entry, ...rest] = process.argv.slice(2);
if (entry === undefined) {
  console.error("usage: node bench/run.mjs bench/<name>.ts [arguments]");
  process.exit(2);
}

// Inside the project, so that packages left out of the bundle are found.
const folder = join(import.meta.dirname, "..", "node_modules", ".cache", "bench");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
});

const child = spawn(process.execPath, [...process.execArgv, outfile, ...rest], { stdio: "inherit" });
child.on("exit", (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
