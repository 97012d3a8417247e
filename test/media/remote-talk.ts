// Two phones that talk by way of a media engine in another process, which may be stopped or killed.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect } from "vitest";
import type { EmbeddedOptions } from "../../src/media/embedded/embedded.ts";
import { whenOver } from "../ground/when-over.ts";
import { type PhoneOptions, RtpPhone } from "../phones/rtp-phone.ts";
import { CLEAR } from "./phones.ts";
import { buildEngineProcess, type RemoteEngine, startEngine } from "./remote-engine.ts";

let folder: string;
let program: string;
const running = new Set<RemoteEngine>();
const phones = new Set<RtpPhone>();

/** For a test file that has such talks. */
export function withRemoteEngines(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "santral-engines-"));
    whenOver(() => rm(folder, { recursive: true }));
    program = await buildEngineProcess(folder);
  });
  afterEach(async () => {
    for (const phone of phones) phone.hangUp();
    for (const engine of running) await engine.kill();
    phones.clear();
    running.clear();
  });
}

export type Talk = { engine: RemoteEngine; a: Party; b: Party };
export type Party = { phone: RtpPhone; stream: string; address: string; port: number };

export const ledgerFolder = () => mkdtemp(join(folder, "streams-"));

export async function start(options: Partial<EmbeddedOptions>): Promise<RemoteEngine> {
  const engine = await startEngine(program, { workers: 1, ...options });
  running.add(engine);
  return engine;
}

export async function kill(engine: RemoteEngine): Promise<void> {
  await engine.kill();
  running.delete(engine);
}

export async function connect(engine: RemoteEngine, options: PhoneOptions, settings = {}): Promise<Party> {
  const phone = await RtpPhone.open(options);
  phones.add(phone);
  const opened = await engine.open();
  await engine.settle(opened.stream, phone.settings(settings));
  phone.talkTo(opened);
  return { phone, ...opened };
}

export async function talk(engine: RemoteEngine, one: PhoneOptions, other: PhoneOptions, settings = {}): Promise<Talk> {
  const a = await connect(engine, { says: 440, ...one }, settings);
  const b = await connect(engine, { says: 660, ...other }, settings);
  await engine.join(a.stream, b.stream);
  await hearEachOther({ a, b });
  return { engine, a, b };
}

export async function hearEachOther({ a, b }: Pick<Talk, "a" | "b">): Promise<void> {
  a.phone.listenAnew();
  b.phone.listenAnew();
  expect(await a.phone.soonHears(b.phone.says)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(a.phone.says)).toBeGreaterThan(CLEAR);
}
