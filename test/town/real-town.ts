// An exchange as a process of its own with real phones around it, for stories in which what is heard counts.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { realClock } from "../../src/clock.ts";
import type { StoryLine } from "../../src/exchange/calls/story.ts";
import { readWav, toMono, type Wav, wavHeader } from "../../src/media/wav.ts";
import { askServer } from "../../src/server/control-client.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import type { TracedMessage } from "../../src/store/sip-traces.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { GONE, santral as runCommand, type SantralProcess, startProcess } from "../ground/santral-process.ts";
import { expectWellTold } from "../ground/told.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, type BaresipOptions, startBaresip } from "../phones/baresip.ts";
import { type Linphonec, type LinphonecOptions, startLinphonec } from "../phones/linphonec.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { ownFaultIn } from "../sip/strict-reading.ts";

export type FirstRun = {
  exchange: { id: number; key: string; sip_domain: string };
  extensions: { number: string; password: string }[];
};

/** A program that is pulled when the story is over. */
type Killable = { kill(): Promise<void> };

export type RealTown = {
  santral: SantralProcess;
  firstRun: FirstRun;
  data: string;
  /** A baresip that says a tone of its own and is registered. */
  phone(number: string, hz: number, more?: Partial<BaresipOptions>): Promise<Baresip>;
  /** A linphonec that says a tone of its own and is registered. */
  linphonec(number: string, hz: number, more?: Partial<LinphonecOptions>): Promise<Linphonec>;
  /** A file that says this tone for longer than any call lasts. */
  tone(hz: number): string;
  /** Pulled when the story is over. */
  keep(phone: Killable): void;
  /** The text of an answer of the interface; anything but 200 fails the test. */
  ask(path: string, parameters?: Record<string, string>): Promise<string>;
  /** The same with its status. */
  tell(path: string, parameters?: Record<string, string>): Promise<{ status: number; text: string }>;
  post(path: string, parameters: Record<string, string>): Promise<string>;
  /** A command of the operator's: what it printed. */
  command(...words: string[]): Promise<string>;
  /** A carrier that was just set up is looked up and taken in by the running server a moment later. */
  trunkIsUp(name: string): Promise<unknown>;
  /** Kills it as a power cut would, or asks it to stop, and starts it again at the same doors. */
  restart(
    between?: () => void | Promise<void>,
    signal?: NodeJS.Signals,
    changed?: Record<string, string>,
  ): Promise<void>;
};

const ASKED_BY_MANY = { SANTRAL_TRUSTED_PROXIES: "127.0.0.1" };

/** A tone is there from this level on; what is not there stays far below. */
export const CLEAR = 0.1;
export const ABSENT = 0.02;

/** `start`: below a supervisor, or without one. */
export async function realTown(env: Record<string, string> = {}, start = startProcess): Promise<RealTown> {
  const folder = mkdtempSync(join(tmpdir(), "santral-town-"));
  const data = join(folder, "data");
  const phones: Killable[] = [];
  // Its own ports, also while it is away: one that the system chose would be chosen for somebody else.
  const ports = { SANTRAL_SIP: `127.0.0.1:${await freePorts(1)}`, SANTRAL_HTTP: `127.0.0.1:${await freePorts(1)}` };
  const settings = { env: { ...ASKED_BY_MANY, ...ports, ...env } };
  await putMadeFolder(data);
  let santral = await start(data, settings);
  let clients = 0;
  const firstRun = JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as FirstRun;
  whenOver(async () => {
    await Promise.all(phones.map((phone) => phone.kill()));
    await expectAllWellSaid(data);
    await santral.end("SIGTERM");
    rmSync(folder, GONE);
  });
  const tell = async (path: string, parameters: Record<string, string> = {}, method = "GET") => {
    const sent = new URLSearchParams({ key: firstRun.exchange.key, ...parameters });
    // Every question comes from a client of its own, so that the interface's rates are not what is tested.
    clients = (clients % 250) + 1;
    const headers = { "X-Forwarded-For": `192.0.2.${clients}` };
    const url = `http://${santral.run.http}${path}`;
    const answer =
      method === "GET" ? await fetch(`${url}?${sent}`, { headers }) : await fetch(url, { method, headers, body: sent });
    return { status: answer.status, text: await answer.text() };
  };
  const accountOf = (number: string) => ({
    user: number,
    password: firstRun.extensions.find((it) => it.number === number)?.password ?? "",
    domain: firstRun.exchange.sip_domain,
    server: santral.run.sip ?? "",
  });
  return {
    get santral() {
      return santral;
    },
    firstRun,
    data,
    tell,
    tone: (hz) => toneFile(folder, hz),
    keep: (phone) => void phones.push(phone),
    ask: async (path, parameters) => wellSaid(path, await tell(path, parameters)),
    post: async (path, parameters) => wellSaid(path, await tell(path, parameters, "POST")),
    async phone(number, hz, more = {}) {
      const phone = await startBaresip({ ...accountOf(number), plays: toneFile(folder, hz), ...more });
      phones.push(phone);
      await phone.registered();
      return phone;
    },
    async linphonec(number, hz, more = {}) {
      const phone = await startLinphonec({ ...accountOf(number), plays: toneFile(folder, hz), ...more });
      phones.push(phone);
      await phone.registered();
      return phone;
    },
    async command(...words) {
      const { code, stdout, stderr } = await runCommand(data, words);
      if (code !== 0) throw new Error(`santral ${words.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
    trunkIsUp: (name) =>
      eventually(`trunk ${name} is up`, async () => {
        const trunks = (await askServer(join(data, "control.sock"), "trunks")) as { name: string; up: boolean }[];
        return trunks.some((trunk) => trunk.name === name && trunk.up);
      }),
    async restart(between, signal = "SIGKILL", changed = {}) {
      await santral.end(signal);
      Object.assign(settings.env, changed);
      await between?.();
      santral = await start(data, settings);
    },
  };
}

/** Whatever calls there were, their stories can be read by everybody, and what we sent by somebody else's grammar. A town that its
 *  test has brought down says nothing. */
async function expectAllWellSaid(data: string): Promise<void> {
  const db = openDatabase(connectionTo(join(data, "pg"), "postgres"), realClock, { connections: 1 });
  try {
    const asked = db.query<{ story: StoryLine[] }>(sql`select story from call_stories`);
    const stories = await asked.catch(() => []);
    expectWellTold(stories.flatMap(({ story }) => story));
    const traced = db.query<{ messages: TracedMessage[] }>(sql`select messages from sip_traces`);
    const sent = (await traced.catch(() => [])).flatMap(({ messages }) =>
      messages.filter((it) => it.direction === "out"),
    );
    expect(sent.filter(({ text }) => ownFaultIn(text) !== undefined)).toEqual([]);
  } finally {
    await db.close();
  }
}

function wellSaid(path: string, { status, text }: { status: number; text: string }): string {
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return text;
}

/** A minute outlasts every call, unless the machine is slow: a phone whose file is at its end is silent. */
const TONE_SECONDS = 180;

export function toneFile(folder: string, hz: number): string {
  const path = join(folder, `${hz}.wav`);
  const second = Int16Array.from({ length: 8_000 }, (_, at) => 8_000 * Math.sin((2 * Math.PI * hz * at) / 8_000));
  const bytes = Buffer.alloc(TONE_SECONDS * second.byteLength, new Uint8Array(second.buffer));
  const header = wavHeader({ rate: 8_000, channels: 1, dataBytes: bytes.length });
  writeFileSync(path, Buffer.concat([header, bytes]));
  return path;
}

/** A part of a file: so much of its end, or from there on. */
export type Part = { fromMs?: number; lastMs?: number; forMs?: number };

/** How strongly a tone is in a file: around 0.25 for one that is there most of the time. */
export function toneIn(file: string | Uint8Array, hz: number, part: Part = {}): number {
  const wav = readWav(typeof file === "string" ? readFileSync(file) : file);
  if (wav.is !== "wav") throw new Error(wav.why);
  return toneLevel(cut(toMono(wav), wav.rate, part), hz, wav.rate);
}

/** How strongly a tone is in that stretch of a file in which it is strongest. */
export function strongestIn(file: string | Uint8Array, hz: number, forMs = 500): number {
  const wav = readWav(typeof file === "string" ? readFileSync(file) : file);
  if (wav.is !== "wav") throw new Error(wav.why);
  return strongest(toMono(wav), hz, { rate: wav.rate, forMs });
}

/** Of a call on a machine that stood still for a while only a part is sound, however long it took. */
export function strongest(samples: Int16Array, hz: number, { rate = 8_000, forMs = 500 } = {}): number {
  const length = (forMs * rate) / 1_000;
  let best = 0;
  for (let from = 0; from + length <= samples.length; from += rate / 10)
    best = Math.max(best, toneLevel(samples.subarray(from, from + length), hz, rate));
  return best;
}

function cut(samples: Int16Array, rate: number, { fromMs, lastMs, forMs }: Part): Int16Array {
  const at = (ms: number) => Math.round((ms * rate) / 1_000);
  const from = lastMs === undefined ? at(fromMs ?? 0) : Math.max(0, samples.length - at(lastMs));
  return samples.subarray(from, forMs === undefined ? samples.length : from + at(forMs));
}

/** One channel of a stereo recording. */
export function channelOf(file: Uint8Array, side: "left" | "right"): Int16Array {
  const wav = stereo(file);
  return wav.samples.filter((_, at) => at % 2 === (side === "left" ? 0 : 1));
}

export function stereo(file: Uint8Array): Wav {
  const wav = readWav(file);
  if (wav.is !== "wav") throw new Error(wav.why);
  return wav;
}
