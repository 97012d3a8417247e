// What the embedded engine does when things break: threads die, the process is killed, libc cannot be called.

import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import { readWav, repairWav } from "../../src/media/wav.ts";
import { freePorts } from "../ground/free-ports.ts";
import { passing, RtpPhone } from "../phones/rtp-phone.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { CLEAR, NOT_AT_ALL, phonesOn } from "./phones.ts";

const town = phonesOn();

test("a thread that dies takes its own calls down and nobody else's, and is replaced", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  const c = await town.connect({ says: 880 });
  const path = join(town.folder, "cut.wav");
  const recording = await town.engine.recordCall({ left: a.stream, right: b.stream, path });
  const playing = town.engine.play(a.stream, { sounds: [{ is: "silence", ms: 60_000 }] });
  const otherPlaying = town.engine.play(c.stream, { sounds: [{ is: "tone", spec: "1000/60000" }] });
  await passing(1_200);
  await town.engine.killThreadOf(a.stream);
  expect(await playing).toEqual({ ended: "stream-closed" });
  await town.told("lost", a.stream);
  await town.told("lost", b.stream);
  expect(town.events.some((event) => event.stream === c.stream)).toBe(false);
  expect((await recording.ended).durationMs).toBeGreaterThanOrEqual(500);
  await c.phone.listen(200);
  expect(await c.phone.soonHears(1000)).toBeGreaterThan(0.05);
  const again = await town.callBetween({ says: 440 }, { says: 660 });
  await again.b.phone.listen(200);
  expect(await again.b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  await town.engine.stopPlaying(c.stream);
  await otherPlaying;
});

test("a program that is started during a call takes none of the call's sockets along", async () => {
  const { stream, port } = await town.engine.open();
  const program = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  await once(program, "spawn");
  const ours = udpLines()
    .filter(([, local]) => local?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`))
    .map((fields) => `socket:[${fields[9]}]`);
  expect(ours).toHaveLength(1);
  const theirs = readdirSync(`/proc/${program.pid}/fd`).map((fd) => readlinkSync(`/proc/${program.pid}/fd/${fd}`));
  program.kill();
  await town.engine.close(stream);
  expect(theirs).not.toContain(ours[0]);
});

test("neither a thread that dies nor one that is stopped leaves a socket behind", async () => {
  // An address that nobody else binds to: what is open there is this engine's.
  const address = "127.83.65.78";
  const first = await evenPorts(6);
  const openSockets = () =>
    udpLines().flatMap(([, local, ...rest]) => (local?.startsWith("4E41537F:") ? [rest[7]] : []));
  const engine = await openEmbeddedEngine({
    workers: 1,
    portRange: [first, first + 5],
    address,
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: { warn() {} },
  });
  const [one, two] = [await engine.open(), await engine.open()];
  await engine.close(one.stream);
  const lost = new Promise((resolve) => engine.onEvent(resolve));
  const before = openSockets();
  expect(before.length).toBeGreaterThanOrEqual(4);
  await engine.killThreadOf(two.stream);
  expect(await lost).toMatchObject({ is: "lost", stream: two.stream });
  // The thread in its place has opened others. A program that another test of this process starts just now has them until
  // it is itself: what is forked has all that is open.
  await expect.poll(() => openSockets().filter((socket) => before.includes(socket))).toEqual([]);
  await engine.open();
  expect(openSockets()).not.toEqual([]);
  await engine.stop();
  await expect.poll(openSockets).toEqual([]);
});

/** So many that nobody has by chance: one that is bound to every address would be taken at ours as well. */
async function evenPorts(count: number): Promise<number> {
  const first = await freePorts(count + 1);
  return first + (first % 2);
}

/** Of /proc/net/udp, in fields. */
function udpLines(): string[][] {
  const lines = readFileSync("/proc/net/udp", "utf8").split("\n");
  return lines.map((line) => line.trim().split(/\s+/));
}

test("the process is killed in the middle of a recording, and what was said until a second before is there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "santral-killed-"));
  const program = join(folder, "exchange.mjs");
  await build({
    stdin: { contents: exchangeThatRecords(folder), resolveDir: resolve("."), loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const path = join(folder, "killed.wav");
  let missingMs = await missingAfterKill(program, path);
  // A machine that stood still in between has recorded nothing then.
  for (let times = 1; times < 5 && missingMs >= 1_000; times++) missingMs = await missingAfterKill(program, path);
  expect(missingMs).toBeLessThan(1_000);
  const wav = readWav(await readFile(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  const left = wav.samples.filter((_, i) => i % 2 === 0);
  expect(toneLevel(left.subarray(1600), 440, 8000)).toBeGreaterThan(CLEAR);
  await rm(folder, { recursive: true });
});

/** How much of the talk is not in the recording. */
async function missingAfterKill(program: string, path: string): Promise<number> {
  const exchange = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(exchange.stdout, "data")) as [Buffer];
  const started = performance.now();
  expect(line.toString().trim()).toBe("recording");
  await passing(1600);
  exchange.kill("SIGKILL");
  const lastedMs = performance.now() - started;
  await once(exchange, "exit");
  const repaired = await repairWav(path);
  if (repaired.is === "unreadable") throw new Error(repaired.why);
  return lastedMs - repaired.durationMs;
}

/** An exchange with one call of its own, recorded until somebody kills it. */
function exchangeThatRecords(folder: string): string {
  return `
    import { openEmbeddedEngine } from "./src/media/embedded/embedded.ts";
    import { RtpPhone } from "./test/phones/rtp-phone.ts";
    const engine = await openEmbeddedEngine({
      workers: 1, portRange: [0, 0], address: "127.0.0.1", workerPath: ${JSON.stringify(resolve("dist/media-worker.js"))},
      mediaTimeoutMs: 0, log: { warn() {} },
    });
    const phone = await RtpPhone.open({ says: 440 });
    const a = await engine.open();
    await engine.settle(a.stream, phone.settings());
    phone.talkTo(a);
    await engine.recordCall({ left: a.stream, path: ${JSON.stringify(join(folder, "killed.wav"))} });
    console.log("recording");
  `;
}

test("without libc everything is heard all the same", async () => {
  const engine = await openEmbeddedEngine({
    workers: 2,
    portRange: [0, 0],
    address: "127.0.0.1",
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: { warn() {} },
    withoutLibc: true,
  });
  const phones = await Promise.all([RtpPhone.open({ says: 440 }), RtpPhone.open({ says: 660, codec: "G722" })]);
  const streams = await Promise.all(phones.map(() => engine.open()));
  for (const [i, phone] of phones.entries()) {
    await engine.settle(streams[i]!.stream, phone.settings());
    phone.talkTo(streams[i]!);
  }
  await engine.join(streams[0]!.stream, streams[1]!.stream);
  await passing(100);
  await Promise.all(phones.map((phone) => phone.listen(300)));
  expect(await phones[0]!.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await phones[1]!.soonHears(440)).toBeGreaterThan(CLEAR);
  for (const phone of phones) phone.hangUp();
  await engine.stop();
});

test("ports come in even pairs from the range, taken ones are skipped, and an empty range is said", async () => {
  const first = await evenPorts(6);
  const holder = createSocket("udp4").bind(first, "127.0.0.1");
  await once(holder, "listening");
  const engine = await openEmbeddedEngine({
    workers: 1,
    portRange: [first, first + 5],
    address: "127.0.0.1",
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: { warn() {} },
  });
  const opened = [];
  for (;;) {
    const one = await engine.open().catch((error: Error) => error.message);
    if (typeof one === "string") {
      expect(one).toBe("no free port for media");
      break;
    }
    opened.push(one);
  }
  for (const { port } of opened) {
    expect(port % 2).toBe(0);
    expect(port).not.toBe(first);
  }
  await engine.close(opened[0]!.stream);
  expect((await engine.open()).port).toBe(opened[0]!.port);
  holder.close();
  await engine.stop();
});

test("garbage on a media port is dropped, counted, and does no harm", async () => {
  const { a, b } = await town.callBetween({ says: 440, events: 101 }, { says: 660, events: 101 });
  await passing(60);
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 0x1_0000_0000;
  };
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256)));
    if (bytes.length > 1 && i % 2) {
      bytes[0] = 0x80 | Math.floor(random() * 64);
      bytes[1] = [8, 101, 13, 200, 255][i % 5]!;
    }
    a.phone.sendRaw(bytes, i % 3 ? a : { ...a, port: a.port + 1 });
  }
  await b.phone.listen(300);
  await b.phone.listen(300);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  expect(b.phone.hears(1000)).toBeLessThan(NOT_AT_ALL);
  await expect.poll(async () => (await town.engine.statistics(a.stream)).refused).toBeGreaterThan(50);
  expect(town.events.some((event) => event.is === "lost")).toBe(false);
});

test("a sound file that is no sound file is unreadable", async () => {
  const path = join(town.folder, "text.wav");
  await writeFile(path, "RIFF and nothing else of a sound file");
  const a = await town.connect();
  expect(await town.engine.play(a.stream, { sounds: [{ is: "file", path }] })).toEqual({ ended: "unreadable" });
});
