// Builds the console's pages into dist/console, unless they are there already: nothing it is made of has changed since.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist", "console");
const STAMP = "built-from";

export async function buildConsole() {
  const wanted = hashOfSources();
  if (isBuiltFrom(wanted)) return;
  const { build } = await import("vite");
  // Beside the old one and then in its place: a server that starts meanwhile finds one of the two whole.
  const outDir = `${target}.${process.pid}`;
  await build({ configFile: join(root, "console", "vite.config.ts"), logLevel: "warn", build: { outDir } });
  writeFileSync(join(outDir, STAMP), wanted);
  const old = `${target}.old.${process.pid}`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(outDir, target);
  rmSync(old, { recursive: true, force: true });
}

function isBuiltFrom(wanted) {
  const stamp = join(target, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

/** The pages themselves, what they share with the server, and the versions of the packages. */
function hashOfSources() {
  const hash = createHash("sha256");
  const folder = join(root, "console");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("phone") && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => join(folder, name));
  const shared = ["src/exchange/features/agents/agent-status.ts", "src/sms/consent.ts", "package-lock.json"];
  for (const file of [...files, ...shared.map((name) => join(root, name))])
    hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex");
}
