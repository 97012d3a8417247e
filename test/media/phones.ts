// An embedded engine with telephones on it, for tests: opened before a file's tests, emptied after each of them.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type EmbeddedEngine, type EmbeddedOptions, openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import type { OpenOptions, StreamEvent, StreamId, StreamSettings } from "../../src/media/engine.ts";
import { type PhoneOptions, passing, RtpPhone } from "../phones/rtp-phone.ts";

/** Levels of a phone's tone: plainly there, and not there. */
export const CLEAR = 0.1;
export const NOT_AT_ALL = 0.01;

export type Connected = { phone: RtpPhone; stream: StreamId; address: string; port: number };

export type Phones = {
  engine: EmbeddedEngine;
  folder: string;
  events: StreamEvent[];
  /** A phone on a settled stream, already talking. */
  connect(phone?: PhoneOptions, options?: OpenOptions, settings?: Partial<StreamSettings>): Promise<Connected>;
  callBetween(caller: PhoneOptions, callee: PhoneOptions): Promise<{ a: Connected; b: Connected }>;
  /** Waits until such an event was told. */
  told<Is extends StreamEvent["is"]>(is: Is, stream: StreamId): Promise<StreamEvent & { is: Is }>;
};

export function phonesOn(options: Partial<EmbeddedOptions> = {}): Phones {
  const phones: RtpPhone[] = [];
  const streams: StreamId[] = [];
  // The engine and the folder exist from the first test on.
  const town: Phones = { engine: undefined as never, folder: "", events: [], connect, callBetween, told };

  beforeAll(async () => {
    town.folder = await mkdtemp(join(tmpdir(), "santral-media-"));
    town.engine = await openEmbeddedEngine({
      workers: 2,
      portRange: [0, 0],
      address: "127.0.0.1",
      workerPath: "dist/media-worker.js",
      mediaTimeoutMs: 0,
      log: { warn() {} },
      ...options,
    });
    town.engine.onEvent((event) => town.events.push(event));
  });
  afterAll(async () => {
    await town.engine.stop();
    await rm(town.folder, { recursive: true });
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) phone.hangUp();
    await Promise.all(streams.splice(0).map((stream) => town.engine.close(stream)));
    town.events.length = 0;
  });
  return town;

  async function connect(phoneOptions: PhoneOptions = {}, open: OpenOptions = {}, settings = {}): Promise<Connected> {
    const phone = await RtpPhone.open(phoneOptions);
    phones.push(phone);
    const opened = await town.engine.open(open);
    streams.push(opened.stream);
    await town.engine.settle(opened.stream, phone.settings(settings));
    phone.talkTo(opened);
    return { phone, ...opened };
  }

  async function callBetween(caller: PhoneOptions, callee: PhoneOptions) {
    const a = await connect(caller);
    const b = await connect(callee, { near: a.stream });
    await town.engine.join(a.stream, b.stream);
    return { a, b };
  }

  async function told<Is extends StreamEvent["is"]>(is: Is, stream: StreamId): Promise<StreamEvent & { is: Is }> {
    for (const until = performance.now() + 60_000; performance.now() < until; ) {
      const found = town.events.find((event) => event.is === is && event.stream === stream);
      if (found) return found as StreamEvent & { is: Is }; // found by these very fields
      await passing(10);
    }
    throw new Error(`never told: ${is}`);
  }
}
