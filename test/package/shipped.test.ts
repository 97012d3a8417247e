// What is shipped, installed as strangers install it, and a call carried by it. Takes minutes and the network, so it is
// asked for: SANTRAL_TEST_PACKAGES=yes npx vitest run test/package

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const isAsked = process.env.SANTRAL_TEST_PACKAGES !== undefined;
const nodes = ["20.19.6", "22.23.3", "24.21.0", "26.10.0"];
const build = resolve("build");
/** By Debian's names, as ELF files are marked. */
const ELF_MACHINES = { amd64: 62, arm64: 183 };
/** This machine's, in the words of Node and of Debian. */
const machine = process.arch === "arm64" ? { node: "arm64", debian: "arm64" } : { node: "x64", debian: "amd64" };

describe.skipIf(!isAsked)("what is shipped", () => {
  beforeAll(() => run(process.execPath, ["bin/package.mjs"]));

  test.each(nodes)("npm installs the tarball, and on Node %s it carries a call", async (version) => {
    const folder = temporaryFolder();
    run("npm", ["install", "--silent", "--prefix", folder, `node-linux-${machine.node}@${version}`]);
    const node = join(folder, `node_modules/node-linux-${machine.node}/bin/node`);
    expect(run(node, ["--version"]).trim()).toBe(`v${version}`);
    run("npm", ["install", "--silent", "--global", "--prefix", join(folder, "global"), fileIn(".tgz")]);
    const command = join(folder, "global/lib/node_modules/santral/bin/santral.mjs");
    expect(existsSync(join(folder, "global/bin/santral"))).toBe(true);
    await carriesACall({ command: () => [node, command], data: join(folder, "data") });
  });

  test("Debian installs the package on a clean root, where it carries a call; an upgrade keeps data and settings", async () => {
    const root = cleanRoot();
    const inRoot = (...words: string[]) => run("chroot", [root, ...words]);
    const install = (deb: string) => {
      run("cp", [deb, join(root, "tmp/santral.deb")]);
      inRoot(
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "install",
        "-qq",
        "-y",
        "--no-install-recommends",
        "/tmp/santral.deb",
      );
    };
    install(fileIn(`${machine.debian}.deb`));
    expect(inRoot("stat", "-c", "%U %a", "/var/lib/santral", "/etc/santral/santral.env")).toBe(
      "santral 700\nroot 640\n",
    );
    const installed = {
      command: () => ["chroot", root, "santral"],
      data: join(root, "var/lib/santral"),
      seenAs: "/var/lib/santral",
    };
    const first = await carriesACall(installed);

    writeFileSync(join(root, "etc/santral/santral.env"), "SANTRAL_LOG=debug\n");
    install(nextVersion(fileIn(`${machine.debian}.deb`)));
    expect(inRoot("santral", "config")).toMatch(/SANTRAL_LOG +debug/);
    const second = await carriesACall(installed);
    expect(second.records).toBe(first.records + 1);

    inRoot("apt-get", "purge", "-qq", "-y", "santral");
    expect(existsSync(join(root, "var/lib/santral/pg"))).toBe(true);
    expect(existsSync(join(root, "usr/lib/santral/bin"))).toBe(false);
  });

  test.skipIf(!has("buildah"))("the image is built on Debian's own base, and carries a call", async () => {
    const folder = temporaryFolder();
    const storage = ["--root", join(folder, "images"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
    const buildah = (...words: string[]) => run("buildah", [...storage, ...words]).trim();
    whenOver(() => void buildah("rm", "--all"));
    const base = buildah("from", "scratch");
    run("mmdebstrap", ["--quiet", "--variant=apt", "bookworm", join(folder, "base.tar")]);
    buildah("add", "--quiet", base, join(folder, "base.tar"), "/");
    buildah("commit", "--quiet", base, "localhost/base");
    const words = ["--isolation", "chroot", "--build-arg", "BASE=localhost/base", "-t", "localhost/santral"];
    const deb = basename(fileIn(`${machine.debian}.deb`));
    buildah("build", "--quiet", ...words, "--build-arg", `PACKAGE=${deb}`, "-f", "deploy/Containerfile", build);

    const container = buildah("from", "localhost/santral");
    // A volume of one's own, as whoever runs it gives it one.
    const data = join(folder, "data");
    mkdirSync(data);
    const { uid, gid } = statSync(join(buildah("mount", container), "var/lib/santral"));
    chownSync(data, uid, gid);
    const inside = (words: string[]) => [
      "buildah",
      ...storage,
      "run",
      "--isolation",
      "chroot",
      "--volume",
      `${data}:/var/lib/santral`,
      ...words,
      container,
      "--",
    ];
    const command = (env: Settings) => [
      ...inside(Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`])),
      "/usr/bin/santral",
    ];
    await carriesACall({ command, data, seenAs: "/var/lib/santral" });
  });

  test.each(Object.entries(ELF_MACHINES))(
    "the package for %s holds programs for it and no others",
    (debian, number) => {
      const folder = temporaryFolder();
      run("dpkg-deb", ["-x", fileIn(`${debian}.deb`), folder]);
      const kinds = binariesIn(folder);
      expect(kinds.size).toBeGreaterThan(5);
      expect([...kinds].filter(([, machine]) => machine !== number)).toEqual([]);
    },
  );
});

type Settings = Record<string, string>;

type Installed = {
  command(env: Settings): string[];
  /** Its data folder, and what it calls it. */
  data: string;
  seenAs?: string;
};

/** The README's first call: a phone, an outside number that echoes, the record and the recording. */
async function carriesACall({ command, data, seenAs = data }: Installed): Promise<{ records: number }> {
  const [http, sip] = [await freePorts(), await freePorts()];
  const env = { SANTRAL_HTTP: `127.0.0.1:${http}`, SANTRAL_SIP: `127.0.0.1:${sip}`, SANTRAL_DATA: seenAs };
  const server = begin([...command(env), "start"], env);
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${http}${path}`)).text();
  await eventually("the exchange is ready", async () => {
    if (server.child.exitCode !== null) throw new Error(server.said());
    return (await ask("/readyz").catch(() => "")) === "ready";
  });
  const { key } = (JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as { exchange: { key: string } })
    .exchange;
  const phone = begin([...command(env), "phone", "1000", "--for", "60"], env);
  await eventually("the phone is registered", async () => phone.said().includes("registered"));
  const call = await ask(`/originate?key=${key}&extension=1000&destination=905000000001`);
  await eventually("both talk", async () => phone.said().includes("talks"));
  await eventually("the call is hung up", async () => (await ask(`/hangup/${call}?key=${key}`)).startsWith("+OK"));
  await eventually("the record is there", async () => (await ask(`/cdrs/${call}?key=${key}`)).includes('"Cevaplandı"'));
  const { cdrs } = JSON.parse(await ask(`/cdrs?key=${key}`)) as { cdrs: unknown[] };
  phone.child.kill("SIGINT");
  server.child.kill("SIGTERM");
  await Promise.all([phone.over, server.over]);
  return { records: cdrs.length };
}

function begin([program, ...words]: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(program!, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text: Buffer) => (said += text));
  const over = new Promise<void>((settle) => child.once("exit", () => settle()));
  whenOver(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGTERM")) await over;
  });
  return { child, over, said: () => said };
}

/** Debian 12 with nothing but its own base. */
function cleanRoot(): string {
  const folder = temporaryFolder();
  const root = join(folder, "root");
  run("mmdebstrap", ["--quiet", "--variant=apt", "--include=ca-certificates", "bookworm", root]);
  for (const place of ["proc", "dev"]) {
    run("mount", ["--rbind", `/${place}`, join(root, place)]);
    run("mount", ["--make-rslave", join(root, place)]);
    whenOver(() => void run("umount", ["-R", "-l", join(root, place)]));
  }
  run("cp", ["/etc/resolv.conf", join(root, "etc/resolv.conf")]);
  run("chroot", [root, "apt-get", "-qq", "update"]);
  return root;
}

/** The same, said to be newer. */
function nextVersion(deb: string): string {
  const folder = join(temporaryFolder(), "next");
  run("dpkg-deb", ["-R", deb, folder]);
  const control = join(folder, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, "Version: 9.9.9"));
  run("dpkg-deb", ["--root-owner-group", "-Zgzip", "-z1", "--build", folder, `${folder}.deb`]);
  rmSync(folder, { recursive: true });
  return `${folder}.deb`;
}

/** ELF files by the number of the machine they are for. */
function binariesIn(folder: string): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = readFileSync(join(name.parentPath, name.name));
    if (bytes.subarray(0, 4).toString("latin1") === "\x7fELF") kinds.set(name.name, bytes.readUInt16LE(18));
  }
  return kinds;
}

function has(command: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
}

function fileIn(ending: string): string {
  return join(build, readdirSync(build).find((name) => name.endsWith(ending))!); // made before everything else
}

function run(program: string, words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}
