import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { realClock } from "../../../clock.ts";
import { readWav, toMono } from "../../../media/wav.ts";
import { runnerIn } from "../../../programs/program.ts";
import { openSpeech } from "../../../speech/tts.ts";
import { espeakVoice } from "../../../speech/voices/espeak.ts";
import { GreetingEar } from "./answering-machine.ts";

const RATE = 8_000;

/** Milliseconds of voice and of hush in turn, hush first, on a line with some noise. */
function spoken(...ms: number[]): Int16Array {
  const samples: number[] = [];
  for (const [turn, length] of ms.entries())
    for (let at = 0; at < (length * RATE) / 1_000; at++) {
      const voice = turn % 2 === 0 ? 0 : 4_000 * Math.sin((2 * Math.PI * 300 * at) / RATE);
      samples.push(voice + 30 * Math.sin(samples.length * 1.7));
    }
  return Int16Array.from(samples);
}

const heardIn = (samples: Int16Array, rate = RATE) => new GreetingEar().listen(samples, rate);

test("a word or two and a pause is a person", () => {
  expect(heardIn(spoken(400, 500, 1_000))).toBe("person");
  expect(heardIn(spoken(700, 300, 200, 400, 1_000))).toBe("person");
});

test("whoever goes on talking is a machine", () => {
  expect(heardIn(spoken(300, 1_800, 500))).toBe("machine");
  expect(heardIn(spoken(300, 300, 150, 300, 150, 300, 150, 300, 500))).toBe("machine");
});

test("somebody who picks up and says nothing is taken for a person", () => {
  expect(heardIn(spoken(2_000))).toBe("undecided");
  expect(heardIn(spoken(2_600))).toBe("person");
});

test("what comes in pieces is heard as one", () => {
  const ear = new GreetingEar();
  const whole = spoken(300, 1_800, 500);
  for (let at = 0; at < whole.length; at += 1_600) ear.listen(whole.subarray(at, at + 1_600), RATE);
  expect(ear.heard).toBe("machine");
});

const folder = await mkdtemp(join(tmpdir(), "santral-greetings-"));
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["Alo?", "person"],
  ["Efendim.", "person"],
  ["Alo, buyurun?", "person"],
  ["Aradığınız kişiye şu anda ulaşılamıyor. Lütfen sinyal sesinden sonra mesajınızı bırakınız.", "machine"],
  ["Merhaba, Ayşe Yılmaz'ın telesekreterine ulaştınız. Lütfen mesaj bırakın.", "machine"],
])("a voice that says %j is a %s", async (text, expected) => {
  const path = await openSpeech({ clock: realClock, folder, voices: [espeakVoice(runnerIn("limited"))] }).say(
    1,
    text,
    "tr-TR",
  );
  const sound = readWav(await readFile(path!)); // the voice is there, or the test fails as it should
  if (sound.is !== "wav") throw new Error(sound.why);
  const samples = new Int16Array(sound.rate * 15);
  samples.set(toMono(sound), sound.rate / 2);
  expect(heardIn(samples, sound.rate)).toBe(expected);
});
