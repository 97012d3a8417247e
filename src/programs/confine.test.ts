// What a program can do that a stranger's file has misled: nothing to the machine, and not for long.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../test/ground/eventually.ts";
import { canWall } from "../../test/ground/walls.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import type { Bounds, Confinement } from "./confine.ts";
import { foundBy, probeOf, runnerIn } from "./program.ts";

const bounds: Bounds = { cpuSeconds: 20, memoryMb: 800, memory: "reserved", fileMb: 5, reads: [], writes: [] };
const sh = (script: string, given: Partial<Bounds> = {}, ...words: string[]) => ({
  command: "sh",
  words: ["-c", script, "sh", ...words],
  bounds: { ...bounds, ...given },
});

/** Empty once it has ended. */
const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "confined-"));
});
afterAll(() => rm(folder, { recursive: true }));

const kinds: Confinement[] = canWall ? ["limited", "walled"] : ["limited"];
const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

describe.each(kinds)("a program that is %s", (confinement) => {
  const run = runnerIn(confinement);

  test("is told no setting of ours, and no password", async () => {
    const secrets = {
      DATABASE_URL: "postgres://u:pw@h/d",
      SANTRAL_NODE_SECRET: "s3",
      SANTRAL_SMTP_URL: "smtp://u:pw@h",
    };
    const before = { ...process.env };
    Object.assign(process.env, secrets);
    whenOver(() => {
      for (const name of Object.keys(secrets)) delete process.env[name];
      Object.assign(process.env, before);
    });
    const { said } = await run(sh("env; tr '\\0' '\\n' < /proc/$$/environ; cat /proc/$PPID/environ"));
    const names = said.split("\n").map((line) => line.split("=")[0]);
    for (const name of Object.keys(secrets)) if (confinement === "walled") expect(said).not.toContain(name);
    expect(names.filter((name) => name?.startsWith("SANTRAL"))).toEqual([]);
  });

  test("reads and writes what it is for", async () => {
    const [given, made] = [join(folder, "given"), join(folder, `made ${confinement}`)];
    await writeFile(given, "text");
    expect((await run(sh('cat "$1" > "$2"', { reads: [given], writes: [made] }, given, made))).code).toBe(0);
    expect(await readFile(made, "utf8")).toBe("text");
  });

  test("dies when it takes more memory, time or disk than it may", async () => {
    const bomb = "const held = []; for (;;) held.push(Buffer.alloc(50_000_000, 1));";
    const node = { command: process.execPath, words: ["-e", bomb], bounds: { ...bounds, memory: "used" as const } };
    expect((await run(node)).code).not.toBe(0);
    expect((await run(sh("while :; do :; done", { cpuSeconds: 1 }))).code).not.toBe(0);
    const path = join(folder, `large ${confinement}`);
    const large = await run(sh('head -c 9000000 /dev/zero > "$1"', { writes: [path] }, path));
    expect(large.code).not.toBe(0);
    expect((await readFile(path)).length).toBeLessThanOrEqual(5 * 1024 ** 2);
  });

  test("is ended with all that it has started", async () => {
    const late = new AbortController();
    const path = join(folder, `children ${confinement}`);
    const script = 'sleep 1000 & sh -c "sleep 1001; true" & echo $! > "$1"; wait';
    const ended = run(sh(script, { writes: [path] }, path), late.signal);
    await eventually("it runs", async () => existsSync(path) && (await readFile(path, "utf8")) !== "");
    late.abort();
    expect((await ended).code).toBeNull();
    const child = Number(await readFile(path, "utf8"));
    if (confinement === "limited")
      await eventually("its child is gone", async () => !(await commandOf(child)).includes("1001"));
  });

  test("that leaves without having written leaves nothing behind", async () => {
    const path = join(folder, `unwritten ${confinement}`);
    expect((await run(sh("exit 3", { writes: [path] }))).code).toBe(3);
    expect(existsSync(path)).toBe(false);
  });

  test("and is not there is said not to be there", async () => {
    expect((await run({ command: "no-such-program", words: [], bounds })).code).toBe(127);
  });
});

describe.skipIf(!canWall)("behind walls", () => {
  const run = runnerIn("walled");

  test("nothing of the machine is in sight but system libraries", async () => {
    const secret = join(folder, "secret");
    await writeFile(secret, "secret");
    const { said } = await run(sh('ls -d /* /proc/1 /home/* /etc/passwd "$1"; cat "$1"', {}, secret));
    expect(said).not.toMatch(/secret|passwd|home|proc|root/);
  });

  test("nothing can be written but what is named, and the walls cannot be taken down", async () => {
    const given = join(folder, "only to read");
    await writeFile(given, "as it was");
    const tries = ["echo no > /usr/x", "echo no > /x", 'echo no > "$1"', 'mount -o remount,rw "$1"', "unshare -r true"];
    for (const script of tries) expect((await run(sh(script, { reads: [given] }, given))).code, script).not.toBe(0);
    expect(await readFile(given, "utf8")).toBe("as it was");
    expect(existsSync("/usr/x")).toBe(false);
  });

  test.skipIf(!hasFfmpeg)("ffmpeg plays no other file and calls nobody, whatever a file tells it", async () => {
    let called = 0;
    const server = createServer((_, response) => {
      called++;
      response.end();
    }).listen(0, "127.0.0.1");
    whenOver(() => server.close());
    await eventually("it listens", async () => server.listening);
    const { port } = server.address() as AddressInfo;
    const secret = join(folder, "secret.wav");
    spawnSync("ffmpeg", ["-y", "-loglevel", "error", "-f", "lavfi", "-i", "sine", "-t", "1", secret]);
    const list = join(folder, "list.m3u8");
    const url = `http://127.0.0.1:${port}/x.ts`;
    await writeFile(
      list,
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    );
    const out = join(folder, "out.wav");
    for (const input of [`concat:${secret}`, `subfile,,start,0,end,0,,:${secret}`, url, list]) {
      // As if none of ffmpeg's own guards were there.
      const words = ["-y", "-loglevel", "error", "-protocol_whitelist", "file,http,tcp,concat,subfile,crypto"];
      const all = [...words, "-allowed_extensions", "ALL", "-i", input, "-f", "wav", out];
      const { code } = await run({
        command: "ffmpeg",
        words: all,
        bounds: { ...bounds, reads: [list], writes: [out] },
      });
      expect(code, input).not.toBe(0);
      expect(existsSync(out), input).toBe(false);
    }
    expect(called).toBe(0);
  });

  test("the probe finds that the kernel lets us, and why where it does not", async () => {
    expect(foundBy(await run(probeOf(folder)))).toEqual({ confinement: "walled", why: "" });
    expect(foundBy({ code: 1, said: "", complained: "no namespaces\n" })).toEqual({
      confinement: "limited",
      why: "no namespaces",
    });
  });

  test("a folder below the place of the new root is reached all the same", async () => {
    const root = "/mnt/confined-test";
    try {
      mkdirSync(root);
    } catch {
      return; // not ours to write in
    }
    whenOver(() => rm(root, { recursive: true }));
    await writeFile(join(root, "x"), "there");
    expect((await run(sh(`cat ${root}/x`, { reads: [root] }))).said).toBe("there");
  });
});
