// Spoilt T.38 packets: for what reads them from datagrams, and for the machine behind it, which others wrote.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadSpandsp } from "../../src/media/fax/spandsp.ts";
import { type DataMachine, openDataMachine, type T30End } from "../../src/media/fax/t30.ts";
import { UdptlReceiver, UdptlSender } from "../../src/media/fax/udptl.ts";
import { drawPages, writePages } from "../fax/drawn-pages.ts";
import { below, seeded } from "../sip/sip-mutator.ts";
import { openSpoiler } from "./octet-spoiler.ts";
import { PATIENCE_MS, SEED, SPOILT, takeSpoilt } from "./spoilt-packets.ts";

const FRAME = 160;
const MOST_DATAGRAM = 400;
/** One datagram holds its own packet and copies of those before it. */
const MOST_IN_ONE = 17;

const folder = mkdtempSync(join(tmpdir(), "santral-hostile-fax-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const loaded = loadSpandsp();
if ("missing" in loaded) throw new Error(loaded.missing);
const library = loaded;
const tiff = await writePages(join(folder, "sent.tif"), drawPages(1));

type Fax = { sender: DataMachine; receiver: DataMachine; ended: T30End[]; pass(): void };

let faxes = 0;

/** `through`: what becomes of each datagram on its way to the one who receives. */
function fax(through: (datagram: Uint8Array) => readonly Uint8Array[]): Fax {
  const ended: T30End[] = [];
  const hears = { event() {}, end: (end: T30End) => void ended.push(end) };
  const onTheWay: [to: "sender" | "receiver", datagram: Uint8Array][] = [];
  const way = (to: "sender" | "receiver") => {
    const udptl = new UdptlSender({ maxDatagram: MOST_DATAGRAM, redundancy: true });
    return (ifp: Uint8Array, times: number) => {
      for (let time = 0; time < times; time++) onTheWay.push([to, Uint8Array.from(udptl.wrap(ifp))]);
    };
  };
  const work = { stationId: "+902121112233", maxDatagram: MOST_DATAGRAM };
  const sides = {
    sender: openDataMachine(library, { ...work, role: "send", tiff }, { ...hears, send: way("receiver") }),
    receiver: openDataMachine(
      library,
      { ...work, role: "receive", tiff: join(folder, `${++faxes}.tif`) },
      { ...hears, send: way("sender") },
    ),
  };
  const arrived = { sender: new UdptlReceiver(), receiver: new UdptlReceiver() };
  return {
    ...sides,
    ended,
    pass() {
      for (const side of Object.values(sides)) side.pass(FRAME);
      for (const [to, datagram] of onTheWay.splice(0))
        for (const come of to === "receiver" ? through(datagram) : [datagram])
          for (const { octets, sequence } of arrived[to].unwrap(come) ?? []) sides[to].take(octets, sequence);
    },
  };
}

/** The datagrams of a fax that goes well. */
function datagramsOfOne(): Uint8Array[] {
  const kept: Uint8Array[] = [];
  const one = fax((datagram) => {
    kept.push(datagram);
    return [datagram];
  });
  for (let frame = 0; frame < 50 * 300 && one.ended.length < 2; frame++) one.pass();
  expect(one.ended.map(({ code }) => code)).toEqual([0, 0]);
  return kept;
}

const sound = datagramsOfOne();

test("datagrams are read or passed over, and bring a few packets at most", { timeout: PATIENCE_MS }, () => {
  let receiver = new UdptlReceiver();
  takeSpoilt({
    name: "UDPTL",
    sound,
    take(datagram, random) {
      if (below(random, 500) === 0) receiver = new UdptlReceiver();
      const read = receiver.unwrap(datagram) ?? [];
      expect(read.length).toBeLessThanOrEqual(MOST_IN_ONE);
      for (const { octets, sequence } of read) {
        expect(octets.length).toBeLessThanOrEqual(datagram.length);
        expect(sequence).toBeLessThan(65_536);
      }
    },
  });
});

test("the machine lives through whatever they hold, and the next fax goes well", { timeout: PATIENCE_MS }, () => {
  const random = seeded(SEED);
  const spoil = openSpoiler(random, sound);
  let left = SPOILT;
  while (left > 0) {
    // Some while it speaks with a real one, so that they meet it in each of its moods; then many at once.
    const one = fax((datagram) => {
      left--;
      return below(random, 20) === 0 ? [spoil(datagram), datagram] : [datagram];
    });
    for (let frame = 0; frame < 50 * 300 && one.ended.length < 2 && left > 0; frame++) one.pass();
    let sequence = 0;
    for (let times = 0; times < 500 && left > 0; times++, left--) {
      const ifp = spoil(sound[below(random, sound.length)]!).subarray(3);
      one.receiver.take(ifp, sequence++ & 0xffff);
      one.sender.take(ifp, sequence & 0xffff);
      if (times % 10 === 0) one.pass();
    }
    one.sender.close();
    one.receiver.close();
  }
  expect(datagramsOfOne().length).toBeGreaterThan(50);
});
