import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { readWav, toMono } from "../../src/media/wav.ts";
import { runnerIn } from "../../src/programs/program.ts";
import { openSpeech } from "../../src/speech/tts.ts";
import { espeakVoice } from "../../src/speech/voices/espeak.ts";
import { outsidePhone } from "../carriers/carrier.ts";
import { PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { recordingOf, recordOf } from "../town/call-story.ts";
import { ABSENT, CLEAR, channelOf, type RealTown, realTown, stereo } from "../town/real-town.ts";

const PATIENCE_MS = 90_000;
const RATE = 8_000;
const WELCOME_HZ = 1_020;
const AGENT_HZ = 660;
const OUTSIDE_HZ = 880;
const OUTSIDE = "905321234567";

let town: RealTown;
let ann: Baresip;
let welcome: string;
let crm: Crm;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  await town.command("queue", "set", "200", "wrap-up-seconds=0", "ring-seconds=60");
  await town.command("queue", "members", "200", "1000");
  ann = await town.phone("1000", AGENT_HZ);
  welcome = await upload("Karşılama", WELCOME_HZ);
  crm = await openCrm();
}, 240_000);

/** A customer's server that keeps every notification of a campaign. */
type Crm = { url: string; bodies: string[]; told(campaign: string): Record<string, string>[] };

async function openCrm(): Promise<Crm> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // broken off in the middle of the sentence
    bodies.push(body);
    response.end("OK");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    bodies,
    told: (campaign) =>
      bodies
        .map((body): Record<string, string> => Object.fromEntries(new URLSearchParams(body)))
        .filter(({ ivr_campaign_id }) => ivr_campaign_id === campaign),
  };
}

/** A second of a tone as a sound of the exchange. */
async function upload(name: string, hz: number): Promise<string> {
  const sound = readFileSync(town.tone(hz)).subarray(0, 44 + 2 * RATE);
  sound.writeUInt32LE(2 * RATE, 40);
  return town.post("/announcements", {
    name,
    sounddata: `data:audio/wav;name:a.wav;base64,${sound.toString("base64")}`,
  });
}

async function create(campaign: Record<string, unknown>): Promise<string> {
  const answer = await fetch(`http://${town.santral.run.http}/ivr_campaigns.json?key=${town.firstRun.exchange.key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ call_type: "ivr", webhook_url: crm.url, ...campaign }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return text;
}

type Line = {
  phone: string;
  state: string;
  call_uuid: string;
  result: string;
  digit: string;
  target: string | null;
  answering_machine: boolean;
};

const reportOf = async (id: string) =>
  (JSON.parse(await town.ask(`/ivr_campaigns/${id}/report`)) as { ivr_leads: Line[] }).ivr_leads;

/** What the phone has heard of the call it is on: its file grows while it listens. */
async function heardSoFar(phone: Baresip): Promise<Int16Array> {
  const file = (await phone.recordings("dec")).at(-1);
  const bytes = file === undefined ? Buffer.alloc(0) : readFileSync(file).subarray(44);
  return Int16Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(at * 2));
}

/** Loudness of each 20 ms. */
function loudness(samples: Int16Array, rate: number): number[] {
  const size = rate / 50;
  return Array.from({ length: Math.floor(samples.length / size) }, (_, piece) => {
    let energy = 0;
    for (let at = piece * size; at < (piece + 1) * size; at++) energy += samples[at]! ** 2; // inside
    return Math.sqrt(energy / size);
  });
}

const LOUD = 150;

/** The words between the welcome's tone and its repetition, each time that it was repeated. */
function wordsBetweenTones(samples: Int16Array): number[][] {
  const window = RATE / 10;
  const tone = placesOf(samples, WELCOME_HZ, RATE);
  return tone.flatMap((at, place) => {
    const before = tone[place - 1];
    if (before === undefined || at - before < RATE) return []; // a second apart
    return [spoken(loudness(samples.subarray(before + 2 * window, at - window), RATE))];
  });
}

/** The last second of what the phone hears is that tone. */
const hears = (phone: Baresip, hz: number) =>
  eventually(`${hz} Hz is heard`, async () => {
    const last = (await heardSoFar(phone)).subarray(-RATE);
    return last.length === RATE && toneLevel(last, hz, RATE) > CLEAR;
  });

/** Where a tenth of a second of that tone begins. */
function placesOf(samples: Int16Array, hz: number, rate: number): number[] {
  const window = rate / 10;
  const places: number[] = [];
  for (let at = 0; at + window <= samples.length; at += window / 4)
    if (toneLevel(samples.subarray(at, at + window), hz, rate) > CLEAR) places.push(at);
  return places;
}

/** From the first sound to the last. */
function spoken(pieces: number[]): number[] {
  return pieces.slice(
    pieces.findIndex((level) => level > LOUD),
    pieces.findLastIndex((level) => level > LOUD) + 1,
  );
}

/** How alike two courses of loudness are at their best fit, 1 for the same. */
function likeness(one: number[], other: number[]): number {
  let best = -1;
  for (let shift = -25; shift <= 25; shift++) {
    const pairs = one.flatMap((level, at) => {
      const match = other[at + shift];
      return match === undefined ? [] : [[level, match] as const];
    });
    if (pairs.length > one.length / 2) best = Math.max(best, correlation(pairs));
  }
  return best;
}

/** These words, and not the others; about as long as they are. */
function isSaid(wanted: number[], words: number[], others: number[]): boolean {
  const length = words.length / wanted.length;
  const like = likeness(wanted, words);
  return length > 0.8 && length < 1.25 && like > 0.8 && like > likeness(others, words);
}

function correlation(pairs: (readonly [number, number])[]): number {
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [a, b] of pairs) {
    xy += (a - x) * (b - y);
    xx += (a - x) ** 2;
    yy += (b - y) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

/** The same words by the same voice, as the exchange should have said them. */
async function rendered(words: string): Promise<number[]> {
  const path = await openSpeech({
    clock: realClock,
    folder: `${town.data}/compare`,
    voices: [espeakVoice(runnerIn("limited"))],
  }).say(1, words, "tr-TR");
  const sound = readWav(readFileSync(path!)); // there is a voice, or nothing was said to the phone either
  if (sound.is !== "wav") throw new Error(sound.why);
  return spoken(loudness(toMono(sound), sound.rate));
}

async function agentTakes(): Promise<void> {
  await ann.event("CALL_INCOMING", PATIENCE_MS);
  await ann.command("accept");
  await ann.event("CALL_ESTABLISHED", PATIENCE_MS);
}

const agentIsFree = () =>
  eventually("the agent is free", async () =>
    (await town.ask("/agent_statuses", { agent: "1000" })).includes('"AVAILABLE"'),
  );

test("over the sandbox: everybody is called once, every key and result is told once, and one talks with an agent", {
  timeout: 400_000,
}, async () => {
  await agentIsFree();
  ann.forget();
  const number = (suffix: string) => `90500000${suffix}`;
  const id = await create({
    name: "Anket",
    welcome_announcement_id: Number(welcome),
    digit_target_1: "queue/200",
    digit_timeout: 10,
    phone_list: ["0016", "0003", "0005", "0006"].map((suffix) => ({ phone: number(suffix) })),
  });
  await agentTakes();
  await hears(ann, 440);
  await ann.hangUp();
  await ann.event("CALL_CLOSED", PATIENCE_MS);
  const lines = await eventually("the campaign is over", async () => {
    const report = await reportOf(id);
    return crm.told(id).length >= 4 && report.every(({ state }) => state === "finished") && report;
  });
  const told = crm.told(id);
  const shown = (fits: Record<string, string>) =>
    told.filter((it) => Object.entries(fits).every(([name, value]) => it[name] === value)).length;
  expect(shown({ phone: number("0016"), digit: "1", status: "Cevaplandı" })).toBe(1);
  expect(shown({ phone: number("0003"), digit: "", status: "Meşgul" })).toBe(1);
  expect(shown({ phone: number("0005"), digit: "", status: "Reddedildi" })).toBe(1);
  expect(shown({ phone: number("0006"), digit: "", status: "Hatalı Numara" })).toBe(1);
  expect(told).toHaveLength(4);
  expect(new Set(crm.bodies.filter((body) => body !== "").map(idOf)).size).toBe(crm.bodies.filter(Boolean).length);
  expect(lines.find(({ phone }) => phone === number("0016"))).toMatchObject({ target: "queue/200", digit: "1" });
  for (const { call_uuid } of told) {
    const { cdr } = await recordOf(town, call_uuid ?? "", PATIENCE_MS);
    expect(cdr.direction).toBe("Giden (IVR)");
  }
});

test("where machines are looked for, one is hung up on, and a person's key counts from the first moment", {
  timeout: 400_000,
}, async () => {
  const [machine, person] = ["905000000011", "905000000007"];
  const id = await create({
    name: "Duyuru",
    welcome_announcement_id: Number(welcome),
    detect_machines: true,
    digit_target_1: "hangup/hangup",
    digit_timeout: 10,
    digit_retries: 2,
    phone_list: [{ phone: machine }, { phone: person }],
  });
  const lines = await eventually(
    "both calls are over",
    async () => {
      const report = await reportOf(id);
      return crm.told(id).length >= 2 && report.every(({ state }) => state === "finished") && report;
    },
    120,
  );
  expect(lines.find(({ phone }) => phone === machine)).toMatchObject({ answering_machine: true, digit: "" });
  expect(lines.find(({ phone }) => phone === person)).toMatchObject({ answering_machine: false, digit: "1" });
});

// The last: once there is a trunk, it and not the sandbox is the public network.
test("over a trunk: a phone outside hears the welcome and the amount, presses a key, and talks with an agent", {
  timeout: 400_000,
}, async () => {
  const amount = await rendered("yetmiş üç lira elli altı kuruş");
  const other = await rendered("bin iki yüz kırk lira");
  const outside = await outsidePhone(town, OUTSIDE, OUTSIDE_HZ);
  await agentIsFree();
  ann.forget();
  const id = await create({
    name: "Borç hatırlatma",
    phone_list: [{ phone: "05321234567", phrase: `#${welcome} 73.56` }],
    digit_target_1: "queue/200",
    digit_timeout: 2,
    digit_retries: 9,
    recording_enabled: true,
  });
  await outside.event("CALL_ESTABLISHED", PATIENCE_MS);
  await eventually("the amount is said, once without a gap", async () =>
    wordsBetweenTones(await heardSoFar(outside)).find((words) => isSaid(amount, words, other)),
  );
  await outside.command("sndcode", "1");
  await agentTakes();
  await Promise.all([hears(ann, OUTSIDE_HZ), hears(outside, AGENT_HZ)]);
  await outside.hangUp();
  await ann.event("CALL_CLOSED", PATIENCE_MS);

  const [told] = await eventually("the notification", async () => crm.told(id).length > 0 && crm.told(id));
  expect(told).toMatchObject({
    domain_id: String(town.firstRun.exchange.id),
    ivr_campaign_name: "Borç hatırlatma",
    phone: OUTSIDE,
    digit: "1",
    status: "Cevaplandı",
  });
  const { cdr } = await recordOf(town, told?.call_uuid ?? "", PATIENCE_MS);
  expect(cdr).toMatchObject({ direction: "Giden (IVR)", result: "Cevaplandı", destination_number: "05321234567" });
  const recording = await recordingOf(town, told?.call_uuid ?? "");
  const { rate } = stereo(recording);
  const right = channelOf(recording, "right");
  // From the first word on: the welcome stands before the agent's voice on the exchange's side.
  const said = [WELCOME_HZ, AGENT_HZ].map((hz) => placesOf(right, hz, rate)[0] ?? Number.NaN) as [number, number];
  expect(said[0], "the welcome is recorded").toBeLessThan(said[1]);
  expect(toneLevel(channelOf(recording, "left"), OUTSIDE_HZ, rate), "the person is recorded").toBeGreaterThan(CLEAR);
  expect(toneLevel(channelOf(recording, "left"), AGENT_HZ, rate)).toBeLessThan(ABSENT);
  expect(crm.told(id)).toHaveLength(1);
});

function idOf(body: string): string | null {
  return new URLSearchParams(body).get("notification_id");
}
