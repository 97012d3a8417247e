// Makes what is shipped, in build/: an npm tarball, and a Debian package for each processor that brings its own Node.
//   npm run package [-- --only amd64]

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { NODE, provedNode } from "./brought-node.mjs";
import { buildAll } from "./build.mjs";
import { toRun } from "./debian-packages.mjs";
import { linkDatabaseLibraries } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "build");
const deploy = join(root, "deploy", "debian");

/** Debian's name of a processor, and Node's. */
const processors = [
  { debian: "amd64", node: "x64" },
  { debian: "arm64", node: "arm64" },
];

const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const version = own.version;

async function packageAll(only) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const made = [packNpm(await buildAll())];
  for (const processor of processors) if (!only || processor.debian === only) made.push(packDebian(processor));
  writeFileSync(join(target, "RELEASE.md"), `${releaseNotes()}\n`);
  for (const file of [...made, "RELEASE.md"]) console.log(join("build", file));
}

/** The program as npm unpacks it: what runs, and exactly the versions that were tested. */
function packNpm(built) {
  const folder = join(target, "package");
  mkdirSync(join(folder, "dist"), { recursive: true });
  const programs = built.filter((name) => !name.endsWith(".map"));
  for (const name of [...programs, "console", "webphone"]) copy(join("dist", name), join(folder, "dist", name));
  for (const name of ["bin/santral.mjs", "bin/g729-coder.mjs", "src/store/migrations"]) copy(name, join(folder, name));
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "docs"]) copy(name, join(folder, name));
  const { devDependencies: _, scripts: __, private: ___, ...kept } = own;
  writeJson(join(folder, "package.json"), kept);
  writeJson(join(folder, "npm-shrinkwrap.json"), withoutDevelopment(kept));
  run("npm", ["pack", "--silent", "--pack-destination", target], folder);
  return `${own.name}-${version}.tgz`;
}

function copy(name, to) {
  cpSync(join(root, name), to, { recursive: true });
}

/** The lock file of those who run it: nothing that only builds and tests. */
function withoutDevelopment(kept) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { devDependencies: _, ...ours } = lock.packages[""];
  const rest = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
  );
  return { ...lock, packages: { "": { ...ours, bin: kept.bin }, ...Object.fromEntries(rest) } };
}

function packDebian({ debian, node }) {
  const folder = join(target, `debian-${debian}`);
  const program = join(folder, "usr/lib/santral");
  cpSync(join(target, "package"), program, { recursive: true });
  // Nothing of npm's is run for it: the machine that builds may be of another kind than the one that runs.
  const words = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", [...words, "--os=linux", `--cpu=${node}`, "--libc=glibc"], program);
  linkDatabaseLibraries(program, node);
  leaveOutOtherMachines(program, node);
  bringNode(join(program, "node"), node);
  layOut(folder);
  writeControl(folder, debian);
  const name = `santral_${version}_${debian}.deb`;
  run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z3", "--build", folder, join(target, name)], target);
  rmSync(folder, { recursive: true });
  return name;
}

/** Packages with binaries for every machine there is bring only those for this one. */
function leaveOutOtherMachines(program, node) {
  const places = [
    ["koffi/build/koffi", (name) => name !== `linux_${node}`],
    ["@evan/opus/node", (name) => name.endsWith(".node") && name !== `${node}-linux.node`],
  ];
  for (const [place, isForeign] of places) {
    const binaries = join(program, "node_modules", place);
    if (!existsSync(binaries)) continue;
    for (const name of readdirSync(binaries).filter(isForeign)) rmSync(join(binaries, name), { recursive: true });
  }
}

/** What comes along for those whose system has no current Node. */
function bringNode(folder, node) {
  const scratch = join(tmpdir(), `santral-node-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    run("npm", ["pack", "--silent", `node-linux-${node}@${NODE}`], scratch);
    const [tarball] = readdirSync(scratch);
    provedNode(readFileSync(join(scratch, tarball)), node);
    mkdirSync(join(folder, "bin"), { recursive: true });
    run("tar", ["-xzf", tarball, "package/bin/node", "package/LICENSE"], scratch);
    cpSync(join(scratch, "package/bin/node"), join(folder, "bin/node"));
    cpSync(join(scratch, "package/LICENSE"), join(folder, "LICENSE"));
    chmodSync(join(folder, "bin/node"), 0o755);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function layOut(folder) {
  const put = (from, to, mode) => {
    cpSync(from, join(folder, to));
    chmodSync(join(folder, to), mode);
  };
  for (const place of ["usr/bin", "lib/systemd/system", "etc/santral", "usr/share/doc/santral"])
    mkdirSync(join(folder, place), { recursive: true });
  put(join(deploy, "santral"), "usr/bin/santral", 0o755);
  put(join(deploy, "santral.service"), "lib/systemd/system/santral.service", 0o644);
  put(join(deploy, "santral.env"), "etc/santral/santral.env", 0o640);
  put(join(root, "LICENSE"), "usr/share/doc/santral/copyright", 0o644);
  for (const page of ["operations.md", "security.md"])
    symlinkSync(`../../../lib/santral/docs/${page}`, join(folder, "usr/share/doc/santral", page));
  writeFileSync(join(folder, "usr/share/doc/santral/NEWS.gz"), gzipSync(readFileSync(join(root, "CHANGELOG.md"))));
}

function writeControl(folder, debian) {
  const control = join(folder, "DEBIAN");
  mkdirSync(control);
  for (const script of ["postinst", "prerm", "postrm"]) {
    cpSync(join(deploy, script), join(control, script));
    chmodSync(join(control, script), 0o755);
  }
  writeFileSync(join(control, "conffiles"), "/etc/santral/santral.env\n");
  const needed = ["adduser", "ca-certificates", "libc6 (>= 2.28)", "libstdc++6", ...toRun.map((it) => it.package)];
  const lines = {
    Package: "santral",
    Version: version,
    Architecture: debian,
    Maintainer: "Santral <santral@localhost>",
    Section: "comm",
    Priority: "optional",
    "Installed-Size": String(Math.ceil(sizeOf(folder) / 1024)),
    Depends: needed.filter((name) => name !== "curl").join(", "),
    Description: `${own.description}\n SIP phones and a web phone, queues, voice menus, voicemail, recording, fax, dialling\n campaigns, SMS with consent, and an HTTP interface for CRMs and ERPs.`,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(control, "control"), text.join(""));
}

function sizeOf(path) {
  const it = lstatSync(path);
  if (!it.isDirectory()) return it.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 4096);
}

/** The newest chapter of the changes. */
function releaseNotes() {
  const [, newest = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  const [, ...lines] = newest.split("\n");
  return `# Santral ${version}\n\n${lines.join("\n").trim()}`;
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function run(command, words, folder) {
  const done = spawnSync(command, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (done.status === 0) return;
  console.error(`${basename(command)} ${words[0]} failed in ${folder}`);
  process.exit(done.status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const only = process.argv.indexOf("--only");
  await packageAll(only === -1 ? undefined : process.argv[only + 1]);
}
