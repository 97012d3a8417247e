// What a browser's call costs where its connection ends, beside a bare relay of the same packets, rtpengine and the process with
// a WebRTC library that did it before: node bench/run.mjs bench/webrtc.ts [calls] [seconds] [calls of the process]
// Browsers are played on core 1 by real ICE, DTLS and SRTP; with SANTRAL_BENCH_CHROMIUM=10 so many pages of Chromium come after them.
// CPU is CPU time of the whole process on core 0: with us and rtpengine that is the telephone's half of the call as well.

import { execFileSync } from "node:child_process";
import { pause, realClock } from "../src/clock.ts";
import { type Address, makeAddress, parseIp } from "../src/media/embedded/wire.ts";
import { chromiumCalls } from "./chromium-calls.ts";
import { figure } from "./figure.ts";
import { type LightBrowser, LightBrowsers, type LightPhone } from "./light-browser.ts";
import { type Connected, formerGateway, type Part, rtpengine, startPart, type WebEdge } from "./web-edges.ts";
import { servePart } from "./webrtc-parts.ts";

const FRAME_MS = 20;
/** Calls take turns over a frame, as they do when nobody has started them together. */
const TURNS = 20;
const WARM_FRAMES = 100;
/** Browsers look every two and a half seconds whether their way is still there. */
const CHECK_FRAMES = 125;
const HANDSHAKE_TRIES = 2_000;
const HERE = parseIp("127.0.0.1")!; // it is one
const GOAL = 0.25;
/** Of one call, both ways. */
const PACKETS_A_SECOND = 100;
const sleep = new Int32Array(new SharedArrayBuffer(4));

type Call = { browser: LightBrowser | undefined; phone: LightPhone; to: Address; second: Address | undefined };
type Measured = { name: string; calls: number; percent: number; setUpMs: number; megabytes: number; heard: string };

const [first = "100"] = process.argv.slice(2);
if (Number.isNaN(Number(first))) await servePart(first as Part, Number(process.argv[3]));
else await compare(Number(first));

async function compare(calls: number): Promise<void> {
  const seconds = Number(process.argv[3] ?? 8);
  const few = Number(process.argv[4] ?? Math.min(calls, 20));
  execFileSync(process.execPath, ["bin/build.mjs"]);
  console.log(
    "who              calls   % of a core a call   set-up ms CPU   MB a call   heard by browsers, phones, understood",
  );
  const rows: Measured[] = [];
  const measure = async (edge: Promise<WebEdge>, count: number) => {
    const opened = await edge.catch((error: Error) => void console.log(`left out: ${error.message}`));
    if (opened) rows.push(await measured(opened, count, seconds));
  };
  await measure(startPart("bare relay", 0), calls);
  await measure(startPart("phones alone", 30_000), calls);
  await measure(startPart("threads", 40_000), calls);
  await measure(rtpengine(50_000), calls);
  await measure(formerGateway(18_000, few), few);
  report(rows);
  const pages = Number(process.env.SANTRAL_BENCH_CHROMIUM ?? 0);
  if (pages > 0) await chromiumCalls(await startPart("threads", 40_000), { pages, seconds });
  process.exit(0);
}

async function measured(edge: WebEdge, count: number, seconds: number): Promise<Measured> {
  const browsers = new LightBrowsers();
  const [emptyMegabytes, before] = [edge.residentMegabytes(), edge.cpuSeconds()];
  const calls: Call[] = [];
  for (let made = 0; made < count; made++) calls.push(await openCall(browsers, edge));
  const setUpMs = ((edge.cpuSeconds() - before) * 1_000) / count;
  const frames = Math.round((seconds * 1_000) / FRAME_MS);
  talk(browsers, calls, { from: 0, frames: WARM_FRAMES });
  for (const key of ["byBrowsers", "byPhones", "understood", "garbled"] as const) browsers.heard[key] = 0;
  const began = edge.cpuSeconds();
  talk(browsers, calls, { from: WARM_FRAMES, frames });
  // By what was passed on: on a busy machine whoever plays the browsers comes late, and a second holds fewer packets.
  const callSeconds = (browsers.heard.byBrowsers + browsers.heard.byPhones) / PACKETS_A_SECOND;
  const percent = ((edge.cpuSeconds() - began) / callSeconds) * 100;
  const megabytes = (edge.residentMegabytes() - emptyMegabytes) / count;
  for (const { browser, phone } of calls) {
    browser?.close();
    browsers.closePhone(phone);
  }
  await edge.stop();
  const { byBrowsers, byPhones, understood, garbled } = browsers.heard;
  const share = (packets: number, ways = 1) => `${((100 * packets) / (frames * count * ways)).toFixed(1)} %`;
  const isPlain = calls[0]?.browser === undefined;
  const heard = isPlain
    ? share(byPhones, 2)
    : `${share(byBrowsers)}, ${share(byPhones)}, ${understood} of ${understood + garbled}`;
  const row = { name: edge.name, calls: count, percent, setUpMs, megabytes, heard };
  console.log(
    `${row.name.padEnd(16)} ${String(count).padStart(5)}   ${percent.toFixed(3).padStart(18)}   ${setUpMs.toFixed(2).padStart(13)}   ${megabytes.toFixed(2).padStart(9)}   ${heard}`,
  );
  return row;
}

async function openCall(browsers: LightBrowsers, edge: WebEdge): Promise<Call> {
  const browser = browsers.open();
  const phone = browsers.openPhone();
  const connected: Connected = await edge.connect(browser.offer(), phone.port);
  const to = makeAddress(HERE, connected.port);
  const second = connected.second === undefined ? undefined : makeAddress(HERE, connected.second);
  if (connected.sdp === undefined) {
    browser.close();
    return { browser: undefined, phone, to, second };
  }
  browser.understand(connected.sdp);
  for (let tries = 0; !browser.isUp; tries++) {
    if (tries > HANDSHAKE_TRIES) throw new Error("a browser found no way");
    if (tries % 20 === 0) browser.check();
    browsers.wire.drain();
    await pause(realClock, 1);
  }
  return { browser, phone, to, second };
}

function talk(
  browsers: LightBrowsers,
  calls: readonly Call[],
  { from, frames }: { from: number; frames: number },
): void {
  const began = performance.now();
  for (let frame = 0; frame < frames; frame++)
    for (let turn = 0; turn < TURNS; turn++) {
      for (let place = turn; place < calls.length; place += TURNS) say(browsers, calls[place]!, from + frame, place); // one of them
      listenUntil(browsers, began + frame * FRAME_MS + ((turn + 1) * FRAME_MS) / TURNS);
    }
}

function say(browsers: LightBrowsers, { browser, phone, to, second }: Call, frame: number, place: number): void {
  browsers.sayFromPhone(phone, to, frame);
  if (second) browsers.sayFromPhone(phone, second, frame);
  browser?.say(frame);
  if (browser && (frame + place) % CHECK_FRAMES === 0) browser.check();
}

function listenUntil({ wire }: LightBrowsers, atMs: number): void {
  do {
    if (wire.drain() === 0) Atomics.wait(sleep, 0, 0, Math.max(0, Math.min(0.5, atMs - performance.now())));
  } while (performance.now() < atMs);
}

function report(rows: readonly Measured[]): void {
  const find = (name: string) => rows.find((row) => row.name === name);
  const ours = find("threads");
  if (!ours) return;
  const shared = { value: ours.percent, unit: "%", better: "less", goal: GOAL } as const;
  const words = `${ours.calls} browsers to PCMA phones, DTLS-SRTP, both legs, one media thread`;
  const beside = [
    ["browser-call", "bare relay", "node:dgram passing the same packets on"],
    ["browser-call-beside-rtpengine", "rtpengine", "rtpengine in user space, the same calls"],
    ["browser-call-beside-former-way", "gateway process", "the gateway's process, its own leg alone"],
  ] as const;
  for (const [name, other, yardstick] of beside) {
    const theirs = find(other);
    if (theirs) figure({ name, ...shared, yardstick, ratio: ours.percent / theirs.percent, with: words });
  }
  const plain = find("phones alone");
  if (plain)
    figure({
      name: "browser-call-beyond-phones",
      value: ours.percent - plain.percent,
      unit: "%",
      better: "less",
      goal: GOAL,
      yardstick: "the same call between two plain phones",
      ratio: ours.percent / plain.percent,
      with: words,
    });
  figure({
    name: "browser-set-up",
    value: ours.setUpMs,
    unit: "ms",
    better: "less",
    with: "ICE and DTLS, CPU time a call",
  });
}
