// Two fax machines in one process, driven as fast as the machine can: no sockets, no clock.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DrawnPage, differences, drawPages, writePages } from "../../../test/fax/drawn-pages.ts";
import type { FaxEvent } from "./fax-engine.ts";
import { loadSpandsp, type Spandsp } from "./spandsp.ts";
import { type FaxWork, openDataMachine, openSoundMachine, type T30End } from "./t30.ts";
import { UdptlReceiver, UdptlSender } from "./udptl.ts";

const FRAME = 160;
const LONGEST_FRAMES = 50 * 600;

let folder: string;
let library: Spandsp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-t30-"));
  const loaded = loadSpandsp();
  if ("missing" in loaded) throw new Error(loaded.missing);
  library = loaded;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("over T.38", () => {
  test("three pages arrive point by point, and each is told on both sides", async () => {
    const sent = drawPages(3);
    const { sender, receiver, path } = await faxOverT38(sent, {});
    expect(sender.end).toMatchObject({ code: 0, text: "OK", pages: 3, rate: 14400, ecm: true, resolution: 196 });
    expect(receiver.end).toMatchObject({ code: 0, pages: 3, remoteStationId: "+902121112233" });
    expect(sender.end?.remoteStationId).toBe("+903124445566");
    expect(pagesTold(sender.events)).toEqual([1, 2, 3]);
    expect(pagesTold(receiver.events)).toEqual([1, 2, 3]);
    expect(await differences(path, sent)).toEqual([0, 0, 0]);
  });

  test.each([0.02, 0.1, 0.2])("%d of the packets lost is made good by redundancy", async (loss) => {
    const sent = drawPages(1);
    const { sender, path, recovered } = await faxOverT38(sent, { loss });
    expect(sender.end).toMatchObject({ code: 0, pages: 1 });
    expect(recovered).toBeGreaterThan(0);
    expect(await differences(path, sent)).toEqual([0]);
  });

  test("the rest of a fax begins at the page that is asked for", async () => {
    const sent = drawPages(3);
    const { sender, path } = await faxOverT38(sent, { fromPage: 2 });
    expect(sender.end).toMatchObject({ code: 0, pages: 2 });
    expect(await differences(path, sent.slice(1))).toEqual([0, 0]);
  });

  test.each([
    { fastest: 9600 as const, ecm: true },
    { fastest: 4800 as const, ecm: false },
    { fastest: 14400 as const, ecm: false },
  ])("at most $fastest bits a second, error correction: $ecm", async ({ fastest, ecm }) => {
    const sent = drawPages(1, { down: 98, rows: 150 });
    const { sender, path } = await faxOverT38(sent, { fastest, ecm });
    expect(sender.end).toMatchObject({ code: 0, pages: 1, rate: fastest, ecm, resolution: 98 });
    expect(await differences(path, sent)).toEqual([0]);
  });
});

describe("over sound", () => {
  test("two pages arrive point by point", async () => {
    const sent = drawPages(2);
    const { sender, receiver, path } = await faxOverSound(sent, {});
    expect(sender.end).toMatchObject({ code: 0, pages: 2, rate: 14400, ecm: true });
    expect(receiver.end).toMatchObject({ code: 0, pages: 2 });
    expect(await differences(path, sent)).toEqual([0, 0]);
  });

  test("a call that ends in mid-page keeps the pages that are whole", async () => {
    const sent = drawPages(2, { rows: 2000 });
    const { sender, receiver, path } = await faxOverSound(sent, { hangUpAfterPages: 1 });
    expect(sender.end).toMatchObject({ pages: 1 });
    expect(sender.end?.code).not.toBe(0);
    expect(receiver.end).toMatchObject({ pages: 1 });
    expect(await differences(path, sent.slice(0, 1))).toEqual([0]);
  });
});

type Machine = { events: FaxEvent[]; end?: T30End };
type Options = Pick<FaxWork, "fromPage" | "fastest" | "ecm"> & { loss?: number; hangUpAfterPages?: number };

let faxes = 0;

async function pair(sent: DrawnPage[], { fromPage, fastest, ecm }: Options) {
  const number = ++faxes;
  const path = join(folder, `received-${number}.tif`);
  const tiff = await writePages(join(folder, `sent-${number}.tif`), sent);
  const wanted = { ...(fastest ? { fastest } : {}), ...(ecm === undefined ? {} : { ecm }) };
  const send: FaxWork = {
    role: "send",
    tiff,
    stationId: "+902121112233",
    ...wanted,
    ...(fromPage ? { fromPage } : {}),
  };
  const receive: FaxWork = { role: "receive", tiff: path, stationId: "+903124445566", ...wanted };
  const sender: Machine = { events: [] };
  const receiver: Machine = { events: [] };
  return { path, send, receive, sender, receiver };
}

function hears(machine: Machine) {
  return {
    event: (event: FaxEvent) => void machine.events.push(event),
    end(end: T30End) {
      machine.end = end;
    },
  };
}

async function faxOverT38(sent: DrawnPage[], options: Options) {
  const { path, send, receive, sender, receiver } = await pair(sent, options);
  const chance = randomFrom(42);
  const way = () => {
    const udptl = new UdptlSender({ maxDatagram: 400, redundancy: true });
    const onTheWay: Uint8Array[] = [];
    const put = (ifp: Uint8Array, times: number) => {
      const datagram = udptl.wrap(ifp);
      for (let time = 0; time < times; time++) if (chance() >= (options.loss ?? 0)) onTheWay.push(datagram);
    };
    return { put, onTheWay, arrived: new UdptlReceiver() };
  };
  const [there, back] = [way(), way()];
  const a = openDataMachine(library, { ...send, maxDatagram: 400 }, { ...hears(sender), send: there.put });
  const b = openDataMachine(library, { ...receive, maxDatagram: 400 }, { ...hears(receiver), send: back.put });
  for (let frame = 0; frame < LONGEST_FRAMES && !(sender.end && receiver.end); frame++) {
    a.pass(FRAME);
    b.pass(FRAME);
    for (const [{ onTheWay, arrived }, machine] of [[there, b] as const, [back, a] as const])
      for (const datagram of onTheWay.splice(0))
        for (const { octets, sequence } of arrived.unwrap(datagram) ?? []) machine.take(octets, sequence);
  }
  a.close();
  b.close();
  return { path, sender, receiver, recovered: there.arrived.recovered };
}

async function faxOverSound(sent: DrawnPage[], options: Options) {
  const { path, send, receive, sender, receiver } = await pair(sent, options);
  const a = openSoundMachine(library, send, hears(sender));
  const b = openSoundMachine(library, receive, hears(receiver));
  const [fromA, fromB] = [new Int16Array(FRAME), new Int16Array(FRAME)];
  let since = 0;
  for (let frame = 0; frame < LONGEST_FRAMES && !(sender.end && receiver.end); frame++) {
    a.give(fromA);
    b.give(fromB);
    a.take(fromB);
    b.take(fromA);
    if (pagesTold(sender.events).length === options.hangUpAfterPages) since += 1;
    if (since < 50 * 4) continue;
    a.terminate();
    b.terminate();
  }
  a.close();
  b.close();
  return { path, sender, receiver };
}

function pagesTold(events: FaxEvent[]): number[] {
  return events.flatMap((event) => (event.is === "page" ? [event.confirmed] : []));
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
