// Codecs by libraries of others: a tone goes through, ffmpeg reads what we write, and nothing a stranger sends does harm.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { childOf } from "../../test/ground/children.ts";
import { toneLevel } from "../../test/phones/tone-level.ts";
import { seededChance } from "../../test/sip/memory-network.ts";
import { type CodecName, codecIn, codecNames, codecs, ownNames, spokenOf } from "./codec.ts";
import { type Codec, LONGEST_FRAME } from "./shape.ts";

const ofOthers = codecNames.filter((name) => !ownNames.includes(name));
const run = promisify(execFile);

const sine = (hz: number, rate: number, seconds = 1) =>
  Int16Array.from({ length: rate * seconds }, (_, i) => 8000 * Math.sin((2 * Math.PI * hz * i) / rate));

function encoded(codec: Codec, signal: Int16Array): Uint8Array[] {
  const encode = codec.openEncoder();
  const frame = codec.pcmRate / 50;
  const packet = new Uint8Array(1500);
  const packets: Uint8Array[] = [];
  for (let at = 0; at + frame <= signal.length; at += frame)
    packets.push(packet.slice(12, 12 + encode(signal.subarray(at, at + frame), packet, 12)));
  encode.close?.();
  return packets;
}

/** An empty packet was lost on the way. */
function decoded(codec: Codec, packets: Uint8Array[]): Int16Array {
  const decode = codec.openDecoder();
  const samples = new Int16Array(LONGEST_FRAME);
  const out: number[] = [];
  for (const packet of packets) {
    const count = packet.length > 0 ? decode(packet, 0, packet.length, samples) : codec.pcmRate / 50;
    if (packet.length === 0) decode.conceal?.(samples.subarray(0, count));
    out.push(...samples.subarray(0, count));
  }
  decode.close?.();
  return Int16Array.from(out);
}

/** After the codec has settled. */
const levelOf = (heard: Int16Array, hz: number, rate: number) => toneLevel(heard.subarray(rate / 4), hz, rate);

/** What runs in a process of its own says nothing until that has started. */
beforeAll(async () => {
  const encode = codecs.G729.openEncoder();
  await vi.waitUntil(() => encode(new Int16Array(160), new Uint8Array(100), 0) > 0, { timeout: 30_000 });
  encode.close?.();
});

test("every codec of others is there where the tests run", () => {
  expect(spokenOf(ofOthers)).toEqual(ofOthers);
});

test.each(ofOthers)("%s carries a tone, at its pitch and for its length", (name) => {
  const codec = codecs[name];
  const signal = sine(600, codec.pcmRate);
  const heard = decoded(codec, encoded(codec, signal));
  expect(heard.length).toBe(signal.length);
  expect(levelOf(heard, 600, codec.pcmRate)).toBeGreaterThan(0.15);
  expect(levelOf(heard, 1150, codec.pcmRate)).toBeLessThan(0.03);
});

test.each<[CodecName, string]>([
  ["speex", 'mode="3"'],
  ["speex16", 'mode="6"'],
  ["AMR", ""],
  ["AMR", "mode-set=0"],
  ["AMR", "octet-align=1;mode-set=0,2,4"],
  ["AMR-WB", ""],
  ["AMR-WB", "mode-set=0,1"],
])("%s in the form '%s' carries a tone too, and its packets are its own", (name, form) => {
  const codec = codecIn(name, form);
  expect(codecIn(name, form)).toBe(codec);
  const signal = sine(600, codec.pcmRate);
  const packets = encoded(codec, signal);
  expect(levelOf(decoded(codec, packets), 600, codec.pcmRate)).toBeGreaterThan(0.12);
  expect(Buffer.compare(packets[9]!, encoded(codecs[name], signal)[9]!)).not.toBe(0);
});

test.each(["speex", "speex16", "AMR", "AMR-WB", "G729"] as const)(
  "%s goes on through a lost packet by its own guess",
  (name) => {
    const codec = codecs[name];
    const packets = encoded(codec, sine(500, codec.pcmRate));
    const holes = packets.map((packet, at) => (at % 10 === 9 ? new Uint8Array() : packet));
    const heard = decoded(codec, holes);
    expect(heard.length).toBe(codec.pcmRate);
    expect(levelOf(heard, 500, codec.pcmRate)).toBeGreaterThan(0.12);
  },
);

test.each(ofOthers)("%s lives through whatever a stranger sends", (name) => {
  const forms = codecs[name].agree ? ["", "octet-align=1"].flatMap((one) => codecs[name].agree?.(one) ?? []) : [""];
  const random = seededChance(1);
  for (const form of new Set(forms)) {
    const codec = codecIn(name, form);
    const decode = codec.openDecoder();
    const into = new Int16Array(LONGEST_FRAME);
    const good = encoded(codec, sine(700, codec.pcmRate, 0.1))[2]!;
    const hostile = (round: number) => {
      const packet = round % 2 ? Uint8Array.from(good) : new Uint8Array(Math.floor(random() * 500));
      for (let i = round % 4 === 1 ? 3 : 0; i < packet.length; i += 1 + Math.floor(random() * 3))
        packet[i] = Math.floor(random() * 256);
      return packet.subarray(0, round % 6 === 1 ? Math.floor(random() * packet.length) : packet.length);
    };
    for (let round = 0; round < 3_000; round++) {
      const packet = hostile(round);
      const count = decode(packet, 0, packet.length, into);
      expect(count).toBeGreaterThanOrEqual(0);
      expect(count).toBeLessThanOrEqual(LONGEST_FRAME);
    }
    expect(decode(good, 0, 0, into)).toBe(0);
    expect(decode(good, 0, good.length, new Int16Array(10))).toBe(0);
    decode.close?.();
  }
});

test("the process of G.729 is started again when it dies, and calls only miss some sound", async () => {
  const encode = codecs.G729.openEncoder();
  const frame = () => encode(new Int16Array(160), new Uint8Array(100), 0);
  expect(frame()).toBe(20);
  process.kill(childOf(process.pid, "g729-coder")!, "SIGKILL"); // it has just answered
  await vi.waitUntil(() => frame() === 0, { timeout: 30_000, interval: 1 });
  await vi.waitUntil(() => frame() === 20, { timeout: 30_000, interval: 1 });
  encode.close?.();
});

/** How ffmpeg takes bare frames of each, and what stands before the first. */
const files: [name: CodecName, format: string, head: string, without: number][] = [
  ["GSM", "gsm", "", 0],
  ["G729", "g729", "", 0],
  ["AMR", "amr", "#!AMR\n", 1],
  ["AMR-WB", "amr", "#!AMR-WB\n", 1],
];

test.each(files)("ffmpeg hears the tone in our %s", async (name, format, head, without) => {
  const codec = codecs[name];
  const folder = await mkdtemp(join(tmpdir(), "santral-codec-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [from, to] = [join(folder, "from"), join(folder, "to.raw")];
  const packets = encoded(codec, sine(600, codec.pcmRate)).map((packet) => packet.subarray(without));
  await writeFile(from, Buffer.concat([Buffer.from(head), ...packets]));
  const rate = String(codec.pcmRate);
  await run("ffmpeg", ["-v", "error", "-f", format, "-i", from, "-f", "s16le", "-ac", "1", "-ar", rate, to]);
  const octets = await readFile(to);
  const heard = new Int16Array(octets.buffer, octets.byteOffset, octets.length >> 1);
  expect(levelOf(heard, 600, codec.pcmRate)).toBeGreaterThan(0.15);
});
