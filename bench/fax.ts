// Many T.38 faxes at once in real time: node bench/run.mjs bench/fax.ts [faxes] [faxes between exchanges]
// First through the fax processes alone, then between two whole exchanges, by HTTP, SIP and the database.
// The ratio is to the library alone in this run, driven through one fax without sockets, processes or waiting.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { toBitmap } from "../src/media/documents/dither.ts";
import { codeInTime } from "../src/media/documents/line-screen.ts";
import type { FaxResult, FaxSession } from "../src/media/fax/fax-engine.ts";
import { type FaxDrill, openFaxProcess } from "../src/media/fax/fax-process.ts";
import { encodeG4 } from "../src/media/fax/g4.ts";
import { loadSpandsp } from "../src/media/fax/spandsp.ts";
import { openDataMachine } from "../src/media/fax/t30.ts";
import { writeTiff } from "../src/media/fax/tiff.ts";
import { differences, drawPages, writePages } from "../test/fax/drawn-pages.ts";
import { faxBetweenExchanges } from "./fax-exchanges.ts";
import { figure } from "./figure.ts";
import { cpuMsOfTree, residentMbOf, treeOf } from "./process-cpu.ts";

const FAXES = Number(process.argv[2] ?? 50);
const BY_SIP = Number(process.argv[3] ?? 20);
const PAGES = 2;
const HERE = "127.0.0.1";
/** Of a core, for both ends of fifty faxes in one process with sockets, as it was measured before this was written. */
const ONCE_MEASURED = 10.4;
const FRAME = 160;
const FRAMES_A_SECOND = 50;

const library = loadSpandsp();
const folder = mkdtempSync(join(tmpdir(), "fax-bench-"));
const means = { places: { bind: HERE, ports: { from: 0, to: 0 }, inside: HERE }, folder, documents: [] };
const open = () => openFaxProcess({ ...means, processPath: "dist/fax-machines.js", clock: realClock, log: silentLog });
const [senders, receivers] = [open(), open()];
for (const engine of [senders, receivers]) {
  const state = await engine.availability();
  if (!state.available) throw new Error(state.why);
}
const pages = drawPages(PAGES, { rows: 2292 });
const tiff = await writePages(join(folder, "sent.tif"), pages);

const beganMs = performance.now();
const before = cpuSeconds(senders) + cpuSeconds(receivers);
const results = await Promise.all(Array.from({ length: FAXES }, (_, place) => fax(place)));
const seconds = (performance.now() - beganMs) / 1000;
const cpu = cpuSeconds(senders) + cpuSeconds(receivers) - before;

const well = results.filter(({ sent, received }) => sent.ok && received.ok);
const share = (cpu / seconds) * 100;
const { share: one } = await libraryAlone(tiff);
const bare = one * FAXES;
console.log(`${well.length} of ${FAXES} faxes of ${PAGES} pages went well, in ${seconds.toFixed(0)} s`);
for (const { sent } of results.filter(({ sent }) => !sent.ok))
  console.log(`  ${sent.code} ${sent.text}, ${sent.pages} pages`);
console.log(`the library alone   ${bare.toFixed(1)} % of a core   ratio 1.00`);
console.log(`fax processes       ${share.toFixed(1)} % of a core   ratio ${(share / bare).toFixed(2)}`);
console.log(`                    ${((share / ONCE_MEASURED) * (50 / FAXES)).toFixed(2)} of the share once measured`);
console.log(`memory ${memoryMb(senders)} MB and ${memoryMb(receivers)} MB`);
let wrong = 0;
for (const place of results.keys()) for (const points of await differences(pathOf(place), pages)) wrong += points;
console.log(`${wrong} points differ in all pages`);
await Promise.all([senders.stop(), receivers.stop()]);
const whole = await faxBetweenExchanges(BY_SIP, readFileSync(tiff));
console.log(
  `two exchanges       ${(whole.shareOfOne * BY_SIP).toFixed(1)} % of a core for ${BY_SIP}   ratio ${(whole.shareOfOne / one).toFixed(2)}`,
);
console.log(
  `                    ${whole.well} of ${BY_SIP} faxes went well by their first call, in ${whole.seconds.toFixed(0)} s`,
);
for (const result of whole.results) console.log(`  ${result}`);
const beside = (ratio: number) => ({ yardstick: "the library alone", ratio });
const processes = {
  value: share / FAXES,
  ...beside(share / bare),
  with: `${FAXES} faxes by T.38 between two processes`,
};
figure({ name: "fax-in-process", unit: "%", better: "less", ...processes });
const times = whole.shareOfOne / one;
const exchanges = { ...beside(times), with: `${BY_SIP} faxes by T.38 between two exchanges` };
figure({ name: "fax-between-exchanges", value: times, unit: "x", better: "less", goal: 5, ...exchanges });
await greyPage();
rmSync(folder, { recursive: true });
process.exit(well.length === FAXES && wrong === 0 && whole.well === BY_SIP ? 0 : 1);

async function fax(place: number): Promise<{ sent: FaxResult; received: FaxResult }> {
  const from = senders.start({ role: "send", pages: { tiff }, stationId: `+90212${1_000_000 + place}` });
  const to = receivers.start({ role: "receive", pages: { tiff: pathOf(place) }, stationId: "+903120000000" });
  const [fromPort, toPort] = await Promise.all([portOf(from), portOf(to)]);
  from.beginT38(at(toPort));
  to.beginT38(at(fromPort));
  const [sent, received] = await Promise.all([from.done, to.done]);
  from.close();
  to.close();
  return { sent, received };
}

/** Percent of a core for both ends of one fax, and how long it takes on the wire. */
async function libraryAlone(tiff: string): Promise<{ share: number; seconds: number }> {
  if ("missing" in library) throw new Error(library.missing);
  const ends: unknown[] = [];
  const ways = [0, 1].map(() => [] as Uint8Array[]);
  const hears = (way: number) => ({
    event: () => undefined,
    end: (end: unknown) => void ends.push(end),
    send: (ifp: Uint8Array) => void ways[way]?.push(ifp),
  });
  const work = { stationId: "1", maxDatagram: 400 };
  const from = openDataMachine(library, { ...work, role: "send", tiff }, hears(0));
  const to = openDataMachine(library, { ...work, role: "receive", tiff: join(folder, "alone.tif") }, hears(1));
  const before = process.cpuUsage();
  const numbers = [0, 0];
  let frames = 0;
  for (; ends.length < 2; frames++) {
    from.pass(FRAME);
    to.pass(FRAME);
    for (const [way, machine] of [to, from].entries())
      for (const ifp of ways[way]?.splice(0) ?? []) machine.take(ifp, numbers[way]!++ & 0xffff); // there are two ways
  }
  const { user, system } = process.cpuUsage(before);
  from.close();
  to.close();
  const seconds = frames / FRAMES_A_SECOND;
  return { share: ((user + system) / 1e6 / seconds) * 100, seconds };
}

/** A whole page of greys, as a document's becomes one, beside each point of it sent as it is. */
async function greyPage(): Promise<void> {
  const [width, height] = [1728, 2292];
  const points = Uint8Array.from(
    { length: width * height },
    (_, at) => 128 + 100 * Math.sin((at % width) / 90) * Math.cos(at / width / 130),
  );
  const page = toBitmap({ width, height, points });
  const seconds: number[] = [];
  for (const g4 of [encodeG4(page), codeInTime(page)]) {
    const path = join(folder, "grey.tif");
    writeFileSync(path, writeTiff([{ width, rows: height, across: 204, down: 196, g4 }]));
    seconds.push((await libraryAlone(path)).seconds);
  }
  const [plain = 0, inBars = 0] = seconds;
  console.log(`a page of greys      ${inBars.toFixed(0)} s on the wire, ${plain.toFixed(0)} s as it is`);
  const beside = { yardstick: "every point sent as it is", ratio: inBars / plain };
  figure({
    name: "fax-grey-page",
    value: inBars,
    unit: "s",
    better: "less",
    goal: 90,
    ...beside,
    with: "T.6, ECM, 14,400 bit/s",
  });
}

function at(port: number) {
  return { remote: { address: HERE, port }, maxDatagram: 400, redundancy: true };
}

async function portOf(session: FaxSession): Promise<number> {
  const opened = await session.openT38();
  if ("refused" in opened) throw new Error(opened.refused);
  return opened.port;
}

function pathOf(place: number): string {
  return join(folder, `received-${place}.tif`);
}

function cpuSeconds(engine: FaxDrill): number {
  return cpuMsOfTree(engine.pid()!) / 1_000; // it runs
}

function memoryMb(engine: FaxDrill): string {
  const used = treeOf(engine.pid()!).map(residentMbOf);
  return used.reduce((sum, mb) => sum + mb, 0).toFixed(0);
}
