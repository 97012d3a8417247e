// Builds the console's pages into dist/console, unless they are there already: nothing they are made of has changed since.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist", "console");
const STAMP = "built-from.json";

export async function buildConsole() {
  if (isUpToDate()) return;
  const { build } = await import("vite");
  // Beside the old one and then in its place: a server that starts meanwhile finds one of the two whole.
  const outDir = `${target}.${process.pid}`;
  const shared = new Set();
  const plugins = [{ name: "shared-files", moduleParsed: ({ id }) => void noteShared(shared, id) }];
  await build({ configFile: join(root, "console", "vite.config.ts"), logLevel: "warn", build: { outDir }, plugins });
  await buildWorker(outDir, shared);
  const files = [...shared].sort();
  writeFileSync(join(outDir, STAMP), JSON.stringify({ shared: files, hash: hashOfSources(files) }));
  const old = `${target}.old.${process.pid}`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(outDir, target);
  rmSync(old, { recursive: true, force: true });
}

/** What runs while no page is open: one script under a name that stays, whatever pages are made of. */
async function buildWorker(outDir, shared) {
  const { metafile } = await esbuild({
    absWorkingDir: root,
    metafile: true,
    entryPoints: { worker: "console/push/worker.ts" },
    outdir: outDir,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    logLevel: "warning",
  });
  for (const name of Object.keys(metafile.inputs)) noteShared(shared, join(root, name));
}

/** What of the server's and the web phone's sources went into the pages. */
function noteShared(shared, id) {
  const name = relative(root, id.split("?")[0]);
  if (name.startsWith("src/") || name.startsWith("console/phone")) shared.add(name);
}

function isUpToDate() {
  const stamp = join(target, STAMP);
  if (!existsSync(stamp)) return false;
  const { shared, hash } = JSON.parse(readFileSync(stamp, "utf8"));
  return shared.every((name) => existsSync(join(root, name))) && hash === hashOfSources(shared);
}

/** The pages themselves, what they share with the server, and the versions of the packages. */
function hashOfSources(shared) {
  const hash = createHash("sha256");
  const folder = join(root, "console");
  const own = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("phone") && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => join("console", name));
  for (const name of [...own, ...shared, "package-lock.json"]) hash.update(name).update(readFileSync(join(root, name)));
  return hash.digest("hex");
}
