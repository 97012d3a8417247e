// One TypeScript file of this project, bundled so that Node runs it as it is; packages are found where they are installed.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { build, stop } from "esbuild";
import { root } from "./build.mjs";

/** Where it lies now. `alias`: other files in the place of packages. */
export async function bundled(entry, { alias = {} } = {}) {
  // Inside the project, so that packages left out of the bundle are found.
  const folder = join(root, "node_modules", ".cache", "bundles");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias,
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}

/** Runs it to its end with the flags of this Node; its exit code is ours, and what we are told by a signal is for it. */
export async function runBundled(entry, words, { alias = {}, flags = [], cwd } = {}) {
  const outfile = await bundled(entry, { alias });
  await stop(); // its process would stay as long as ours
  const child = spawn(process.execPath, [...process.execArgv, ...flags, outfile, ...words], { stdio: "inherit", cwd });
  // A terminal tells both of us; being told twice does no harm.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
