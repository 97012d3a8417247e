// Makes what is released of a commit, and proves what somebody was given: the archive, what is in it, sums, a signature.
//   node bin/release.mjs make --key KEY [--commit HEAD] [--to build/release]
//   node bin/release.mjs verify FOLDER --signers FILE
// The same commit gives the same archive, byte by byte. Packages of that version (npm run package) that lie in the folder
// before are signed with it.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { NODE_FILE, nodePart } from "./brought-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** For what the key signs: a signature made for anything else is none. */
const PURPOSE = "santral-release";
const WHO = "release@santral";
const SUMS = "SHA256SUMS";

const words = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: "string" },
    commit: { type: "string", default: "HEAD" },
    to: { type: "string", default: join(root, "build", "release") },
    signers: { type: "string" },
  },
});
const [deed, folder] = words.positionals;
if (deed === "make" && words.values.key) make(words.values);
else if (deed === "verify" && folder && words.values.signers) verify(folder, words.values.signers);
else
  stop("say: release.mjs make --key KEY [--commit HEAD] [--to FOLDER], or: release.mjs verify FOLDER --signers FILE");

function make({ key, commit, to }) {
  mkdirSync(to, { recursive: true });
  const { version } = JSON.parse(run("git", ["show", `${commit}:package.json`], { cwd: root }));
  const packages = packagesOf(version);
  for (const file of readdirSync(to)) if (!packages.has(file)) rmSync(join(to, file), { recursive: true });
  const name = `santral-${version}`;
  const archive = run("git", ["archive", "--format=tar", `--prefix=${name}/`, commit], { cwd: root });
  writeFileSync(join(to, `${name}.tar.gz`), gzipped(archive));
  writeFileSync(join(to, `${name}.cdx.json`), partsOf(commit, processorsIn(to, packages)));
  const files = readdirSync(to).sort();
  writeFileSync(join(to, SUMS), files.map((file) => `${sumOf(join(to, file))}  ${file}\n`).join(""));
  run("ssh-keygen", ["-q", "-Y", "sign", "-n", PURPOSE, "-f", key, join(to, SUMS)]);
  for (const file of [...files, SUMS, `${SUMS}.sig`]) console.log(join(to, file));
}

/** By their names, each with Node's name of the processor whose Node it brings. */
function packagesOf(version) {
  return new Map([
    [`santral-${version}.tgz`, undefined],
    [`santral_${version}_amd64.deb`, "x64"],
    [`santral_${version}_arm64.deb`, "arm64"],
  ]);
}

function processorsIn(folder, packages) {
  return readdirSync(folder).flatMap((file) => packages.get(file) ?? []);
}

/** Without the time and the machine on which it was made. */
function gzipped(octets) {
  const packed = gzipSync(octets, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

/** Every package that runs, with version and sum (CycloneDX), out of the commit's lock file, and what Debian packages bring. */
function partsOf(commit, processors) {
  const made = mkdtempSync(join(tmpdir(), "santral-parts-"));
  const scratch = join(made, "santral"); // npm tells the folder's name
  mkdirSync(scratch);
  try {
    for (const file of ["package.json", "package-lock.json"])
      writeFileSync(join(scratch, file), run("git", ["show", `${commit}:${file}`], { cwd: root }));
    const asked = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev", "--loglevel=error"];
    const { serialNumber: _, metadata, ...parts } = JSON.parse(run("npm", asked, { cwd: scratch }));
    const { timestamp: __, tools: ___, ...kept } = metadata;
    const brought = processors.map((processor) => nodePart(nodeOf(commit), processor));
    const components = [...parts.components, ...brought];
    return `${JSON.stringify({ ...parts, components, metadata: kept }, null, 2)}\n`;
  } finally {
    rmSync(made, { recursive: true });
  }
}

function nodeOf(commit) {
  return JSON.parse(run("git", ["show", `${commit}:${NODE_FILE}`], { cwd: root }));
}

function verify(folder, signers) {
  const sums = readFileSync(join(folder, SUMS));
  const asked = ["-q", "-Y", "verify", "-f", signers, "-I", WHO, "-n", PURPOSE, "-s", join(folder, `${SUMS}.sig`)];
  if (spawnSync("ssh-keygen", asked, { input: sums }).status !== 0)
    stop(`${SUMS} is not signed by a key of ${signers}`);
  const signed = sums
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split("  "));
  const known = [SUMS, `${SUMS}.sig`, ...signed.map(([, file]) => file)].map((file) => resolve(folder, file));
  // A file beside them looks as if it were proved, too.
  for (const file of readdirSync(folder))
    if (![...known, resolve(signers)].includes(resolve(folder, file))) stop(`${file} is not among what was signed`);
  for (const [sum, file] of signed) {
    if (!existsSync(join(folder, file)) || sumOf(join(folder, file)) !== sum) stop(`${file} is not what was signed`);
    console.log(`${file}: as it was signed`);
  }
}

function sumOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function run(command, asked, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, asked, { maxBuffer: 2 ** 30, ...options });
  if (status !== 0) stop(`${command} ${asked[0]}: ${stderr}`);
  return stdout;
}

function stop(why) {
  console.error(why);
  process.exit(1);
}
