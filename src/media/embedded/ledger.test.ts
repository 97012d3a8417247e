import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { whenOver } from "../../../test/ground/when-over.ts";
import { machineMs } from "./boot-clock.ts";
import { COUNTERS, factsOf, readCounters, writeCounters } from "./kept-stream.ts";
import { expectFrom } from "./learn.ts";
import { Ledger } from "./ledger.ts";
import { PAGE_BYTES, printFacts, printHead, readPage, writePage } from "./ledger-page.ts";
import { readLeftBehind } from "./left-behind.ts";
import { Session } from "./srtp.ts";
import { nodeCrypto } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { parseIp } from "./wire.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ledger-"));
  whenOver(() => rmSync(root, { recursive: true }));
});

const newFolder = () => mkdtempSync(join(root, "streams-"));
const addresses = ["192.0.2.1", "2001:db8::1"];

function streamOf(id: string, port = 20_000): Stream {
  const made = { id, rtp: 1, rtcp: 2, port, at: 0, told: "198.51.100.1", hintIp: 0, random: () => 7, nowMs: 0 };
  const stream = new Stream(made);
  const remote = { address: "2001:db8::7", port: 4_000 };
  stream.useSettings({ codec: "PCMA", payloadType: 8, direction: "sendrecv", remote });
  expectFrom(stream, remote, remote.port + 1);
  return stream;
}

function newsOf(...streams: Stream[]) {
  const counters = new Float64Array(streams.length * COUNTERS);
  for (const [i, stream] of streams.entries())
    writeCounters(counters, i * COUNTERS, stream, { nowMs: machineMs(), zeroMs: 0 });
  const at = { bound: addresses[0]!, place: 0 };
  const facts = streams.map((stream): [string, string] => [stream.id, JSON.stringify(factsOf(stream, at))]);
  return { facts, counted: streams.map(({ id }) => id), counters };
}

function pageOf(stream: Stream): Buffer {
  const { facts, counters } = newsOf(stream);
  const page = Buffer.alloc(PAGE_BYTES, 0xff);
  writePage(page, printFacts(facts[0]![1])!, counters);
  return page;
}

function watched(folder: string) {
  const warnings: object[] = [];
  const log = { warn: (details: object) => void warnings.push(details) };
  return { warnings, log, read: () => readLeftBehind({ folder, addresses, log }) };
}

const all = () => true;

test("counters are read as they were written, senders of SRTP among them", () => {
  const stream = streamOf("one");
  const keys = { suite: "AES_CM_128_HMAC_SHA1_80", localKey: "A".repeat(40), remoteKey: "B".repeat(40) } as const;
  const sender = { rollover: 3, highest: 65_535, seen: new Float64Array(128) };
  stream.srtp = Session.from({ keys, senders: [[0xffff_ffff, sender]], counters: [2, 65_000, 9, 4] }, nodeCrypto);
  Object.assign(stream, { nextSequence: 65_001, lastTimestamp: 0xffff_ff00, packetsIn: 12, sentAtMs: 40 });
  const row = new Float64Array(COUNTERS);
  writeCounters(row, 0, stream, { nowMs: 50, zeroMs: 1_000 });
  expect(readCounters(row)).toMatchObject({
    stampMs: 1_050,
    sentAtMs: 1_040,
    nextSequence: 65_001,
    lastTimestamp: 0xffff_ff00,
    packetsIn: 12,
    rollover: 2,
    lastSent: 65_000,
    rtcpSent: 9,
    rtcpHighest: 4,
    reportsSent: 0,
    reportsHighest: 0,
    senders: [{ ssrc: 0xffff_ffff, rollover: 3, highest: 65_535 }],
  });
});

test("a page says what was written into it, or that it is torn, wherever it was torn", () => {
  const page = pageOf(streamOf("one"));
  expect(readPage(page)).toMatchObject({ facts: { id: "one", fields: { signalledIp: parseIp("2001:db8::7") } } });
  expect(readPage(Buffer.alloc(PAGE_BYTES))).toBe("empty");
  const newer = pageOf(Object.assign(streamOf("one"), { ssrcOut: 99, nextSequence: 5, packetsIn: 77 }));
  const used = 1 + page.findLastIndex((octet) => octet !== 0);
  for (let cut = 8; cut < used; cut += 8) {
    const torn = Buffer.concat([newer.subarray(0, cut), page.subarray(cut)]);
    if (!torn.equals(page) && !torn.equals(newer)) expect(readPage(torn)).toBe("torn");
  }
  for (const octet of [0, 5, 9, 100, used - 1]) {
    const broken = Buffer.from(page);
    broken[octet]! ^= 0x10;
    expect(readPage(broken)).toBe("torn");
  }
});

test("the next process reads what was entered, without those that ended, from a file that is ours alone", async () => {
  const folder = newFolder();
  const { log, warnings, read } = watched(folder);
  const ledger = new Ledger({ folder, log });
  const streams = Array.from({ length: 150 }, (_, i) => streamOf(`stream-${i}`, 20_000 + 2 * i));
  ledger.take(newsOf(...streams), all);
  await ledger.written();
  for (const { id } of streams.slice(0, 100)) ledger.forget(id);
  ledger.take(newsOf(streamOf("another", 30_000)), all);
  await ledger.written();
  const [name] = readdirSync(folder);
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  const left = read();
  expect([...left.streams.keys()].sort()).toEqual(["another", ...streams.slice(100).map(({ id }) => id)].sort());
  expect(left.streams.get("another")).toMatchObject({ at: 0, kept: { facts: { port: 30_000, told: "198.51.100.1" } } });
  // What ended is wiped out, not only crossed out.
  expect(readFileSync(join(folder, name!), "latin1")).not.toContain('"stream-5"');
  left.forget();
  expect(readdirSync(folder)).toEqual([]);
  expect(warnings).toEqual([]);
});

test("one that was closed meanwhile is not entered again, and one that is too long for a page is told of", async () => {
  const folder = newFolder();
  const { log, warnings, read } = watched(folder);
  const ledger = new Ledger({ folder, log });
  const long = streamOf("long");
  long.recordings.add({ path: "x".repeat(PAGE_BYTES), begunMs: 0 } as never);
  ledger.take(newsOf(long, streamOf("closed"), streamOf("open", 20_002)), (id) => id !== "closed");
  await ledger.written();
  expect([...read().streams.keys()]).toEqual(["open"]);
  expect(warnings).toMatchObject([{ stream: "long" }]);
  await ledger.close({ keep: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("of two pages of one stream the newer one is true", async () => {
  const folder = newFolder();
  const { log, read } = watched(folder);
  for (const nextSequence of [10, 500, 900]) {
    const ledger = new Ledger({ folder, log });
    ledger.take(newsOf(Object.assign(streamOf("one"), { nextSequence })), all);
    await ledger.close({ keep: true });
  }
  expect(read().streams.get("one")?.kept.counters.nextSequence).toBe(900);
});

test.each<[string, (folder: string) => void, string]>([
  [
    "by another version",
    (folder) => writeLedger(folder, printHead({ version: 0, machine: "" })),
    "another version wrote it",
  ],
  [
    "before the machine was started",
    (folder) => writeLedger(folder, printHead({ version: 1, machine: "another" })),
    "the machine was started anew",
  ],
  ["by nobody", (folder) => writeLedger(folder, Buffer.alloc(PAGE_BYTES, 1)), "another version wrote it"],
])("a ledger that was written %s is not believed, and that is said", (_, write, why) => {
  const folder = newFolder();
  const { warnings, read } = watched(folder);
  write(folder);
  expect(read().streams.size).toBe(0);
  expect(warnings).toMatchObject([{ why }]);
  // Nobody can make use of the keys in it.
  expect(readdirSync(folder)).toEqual([]);
});

function writeLedger(folder: string, head: Buffer): void {
  const path = join(folder, "00000000-0000-0000-0000-000000000000.ledger");
  writeFileSync(path, Buffer.concat([head, pageOf(streamOf("one"))]));
}

test("nobody goes on with a stream that is too old, whose address is gone, or whose handshake was not over", async () => {
  const folder = newFolder();
  const { log, warnings, read } = watched(folder);
  const ledger = new Ledger({ folder, log });
  const streams = ["old", "elsewhere", "shaking", "whole"].map((id) => streamOf(id));
  streams[2]!.settings = { ...streams[2]!.settings!, dtls: { isClient: true, fingerprints: [] } };
  const news = newsOf(...streams);
  news.counters[0]! -= 11 * 60_000;
  news.facts[1]![1] = news.facts[1]![1].replace(addresses[0]!, "203.0.113.1");
  ledger.take(news, all);
  await ledger.close({ keep: true });
  expect([...read().streams.keys()]).toEqual(["whole"]);
  expect(warnings).toMatchObject([
    { stream: "old", why: "too long ago" },
    { stream: "elsewhere", why: "its address is not ours any more" },
    { stream: "shaking", why: "its handshake was not over" },
  ]);
});

test("a file that cannot be written costs nobody a call, and what it said before is not believed", async () => {
  const folder = newFolder();
  const { log, warnings, read } = watched(folder);
  const ledger = new Ledger({ folder: join(folder, "file"), log });
  writeFileSync(join(folder, "file"), "in the way");
  ledger.take(newsOf(streamOf("one")), all);
  await ledger.written();
  expect(warnings).toMatchObject([{ code: "EEXIST" }]);
  rmSync(join(folder, "file"));
  // Whoever hands over tries once more.
  await ledger.close({ keep: true });
  expect(readdirSync(join(folder, "file"))).toHaveLength(1);
  expect(read().streams.size).toBe(0);
  expect([...watched(join(folder, "file")).read().streams.keys()]).toEqual(["one"]);
});
