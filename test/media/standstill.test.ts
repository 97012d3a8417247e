// A machine that gives the engine no time for a while: what the phones said meanwhile lies in its sockets.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWav } from "../../src/media/wav.ts";
import { passing } from "../phones/rtp-phone.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { CLEAR } from "./phones.ts";
import { ledgerFolder, start, talk, withRemoteEngines } from "./remote-talk.ts";

withRemoteEngines();

test("a recording has what was said while the engine stood still, in its place, and is as long as the call", async () => {
  const path = join(await ledgerFolder(), "call.wav");
  const { engine, a, b } = await talk(await start({ portRange: [0, 0] }), {}, {});
  const begunMs = performance.now();
  await engine.recordCall({ left: a.stream, right: b.stream, path });
  for (let times = 0; times < 5; times++) {
    process.kill(engine.pid, "SIGSTOP");
    await passing(400);
    process.kill(engine.pid, "SIGCONT");
    await passing(100);
  }
  const { durationMs } = await engine.stopCallRecording(path);
  expect(Math.abs(durationMs - (performance.now() - begunMs))).toBeLessThan(500);
  const wav = readWav(await readFile(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  for (const [channel, hz] of [440, 660].entries()) {
    const said = wav.samples.filter((_, at) => at % 2 === channel);
    expect(toneLevel(said, hz, 8_000), `${hz} Hz`).toBeGreaterThan(CLEAR);
  }
});
