// A media engine in a process of its own, asked by lines on its input: a test kills it and starts the next one.

import { createInterface } from "node:readline";
import { openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import type { CallRecording, CallToRecord, MediaEngine } from "../../src/media/engine.ts";

const engine = await openEmbeddedEngine({
  address: "127.0.0.1",
  mediaTimeoutMs: 0,
  log: { warn: (details, message) => tell({ warning: message, ...details }) },
  ...JSON.parse(process.argv[2] ?? "{}"),
});
const recordings = new Map<string, CallRecording>();

/** What a line cannot carry is left here: a recording is known by its path. */
const further: Record<string, (...args: never[]) => unknown> = {
  recordCall: async (wanted: CallToRecord) => void recordings.set(wanted.path, await engine.recordCall(wanted)),
  stopCallRecording: (path: string) => recordings.get(path)?.stop(),
  fingerprint: () => engine.fingerprint,
};

const asked = createInterface({ input: process.stdin });
// Whoever started it is gone.
asked.on("close", () => process.exit());
asked.on("line", async (line) => {
  const { number, asks, args } = JSON.parse(line) as { number: number; asks: keyof MediaEngine; args: never[] };
  const act = further[asks] ?? (engine[asks] as (...args: never[]) => unknown);
  try {
    tell({ number, value: await act.apply(engine, args) });
  } catch (error) {
    tell({ number, error: String(error) });
  }
});
tell({ number: 0 });

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
