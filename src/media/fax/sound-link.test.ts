// Sound between the machine and the engine: in order, in time, and nothing invented but what is lost.

import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { aLaw } from "../../codecs/g711.ts";
import { openSoundLink, type SoundLink } from "./sound-link.ts";

const HERE = "127.0.0.1";
const FRAME = 160;

let engine: Socket;
let line: SoundLink;
/** The first sample of each packet, or "lost". */
let taken: (number | "lost")[];
let tones: string[];
let sent: Buffer[];

beforeEach(async () => {
  [taken, tones, sent] = [[], [], []];
  engine = createSocket("udp4");
  await new Promise<void>((resolve) => engine.bind(0, HERE, resolve));
  engine.on("message", (packet) => void sent.push(packet));
  const machine = {
    take: (samples: Int16Array) => void taken.push(samples[0]!), // packets here are not empty
    takeNothing: () => void taken.push("lost"),
    give: (samples: Int16Array) => void samples.fill(1000),
    terminate: () => undefined,
    close: () => undefined,
  };
  const enginePort = (engine.address() as AddressInfo).port;
  const heard = (tone: string) => void tones.push(tone);
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, HERE, resolve));
  line = openSoundLink(socket, { codec: "PCMA", enginePort }, { machine, heard });
});

afterEach(() => {
  line.close();
  engine.close();
});

test("packets that overtake each other are put in order, and those that come twice are taken once", async () => {
  await say(65_535, 1, 0, 1, 2);
  expect(await all(4)).toEqual([65_535, 0, 1, 2].map(levelOf));
});

test("a packet that never comes is lost once enough others have come", async () => {
  await say(7, 9, 10, 11, 12, 13);
  expect(await all(7)).toEqual([levelOf(7), "lost", ...[9, 10, 11, 12, 13].map(levelOf)]);
});

test("a sender that begins anew is followed, and what is no sound of ours is left alone", async () => {
  await say(5);
  engine.send(Buffer.from("garbage"), line.port, HERE);
  engine.send(packet(6, 0), line.port, HERE); // another codec
  await say(40_000);
  expect(await all(2)).toEqual([levelOf(5), levelOf(40_000)]);
});

test("what the machine says goes out once a tick, and its time goes on when nothing comes for long", async () => {
  for (let tick = 0; tick < 102; tick++) line.tick();
  await eventually("all packets come", async () => sent.length === 102);
  expect(sent[0]?.length).toBe(12 + FRAME);
  expect(sent.map((it) => it.readUInt16BE(2))).toEqual(Array.from({ length: 102 }, (_, place) => place));
  expect(sent[1]?.readUInt32BE(4)).toBe(FRAME);
  expect(taken).toEqual(["lost", "lost"]);
});

test("a fax machine's tone is told", async () => {
  for (let number = 0; number < 25; number++) {
    const samples = Array.from({ length: FRAME }, (_, at) => {
      const level = Math.round(6_000 * Math.sin((2 * Math.PI * 1100 * (number * FRAME + at)) / 8000));
      return aLaw.toByte[level + 32_768] ?? 0;
    });
    engine.send(Buffer.concat([packet(number, 8).subarray(0, 12), Buffer.from(samples)]), line.port, HERE);
  }
  await eventually("the tone is heard", async () => tones.length > 0);
  expect(tones).toEqual(["cng"]);
});

/** One after the other, as a network of one wire carries them. */
async function say(...numbers: number[]): Promise<void> {
  for (const number of numbers)
    await new Promise<void>((resolve) => engine.send(packet(number, 8), line.port, HERE, () => resolve()));
}

async function all(count: number): Promise<(number | "lost")[]> {
  await eventually(`${count} are taken`, async () => taken.length >= count);
  return taken;
}

/** Each packet has a level of its own, so that one can tell them apart. */
function packet(number: number, payloadType: number): Buffer {
  const made = Buffer.alloc(12 + FRAME, octetOf(number));
  made[0] = 0x80;
  made[1] = payloadType;
  made.writeUInt16BE(number, 2);
  return made;
}

function octetOf(number: number): number {
  return (number * 7) & 0xff;
}

function levelOf(number: number): number {
  return aLaw.toLinear[octetOf(number)] ?? 0;
}
