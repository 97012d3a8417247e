import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { runAsServer } from "../../test/ground/walls.ts";
import { openSpeech, type Voice } from "./tts.ts";
import { espeakVoice } from "./voices/espeak.ts";

const folder = await mkdtemp(join(tmpdir(), "santral-speech-"));
const clock = testClock();
afterAll(() => rm(folder, { recursive: true }));

function paperVoice(name: string, canSpeak = true): Voice & { spoken: string[] } {
  const spoken: string[] = [];
  return {
    name,
    spoken,
    async speak({ text, path }) {
      spoken.push(text);
      if (canSpeak) await writeFile(path, text);
      return canSpeak;
    },
  };
}

test("the same sentence is spoken once, even when two callers want it at once", async () => {
  const voice = paperVoice("paper");
  const speech = openSpeech({ clock, folder, voices: [voice] });
  const [one, other] = await Promise.all([speech.say(1, "Merhaba", "tr-TR"), speech.say(1, "Merhaba", "tr-TR")]);
  expect(one).toBe(other);
  await speech.say(1, "Merhaba", "tr-TR");
  expect(voice.spoken).toEqual(["Merhaba"]);
  expect(await speech.say(1, "Merhaba", "en-US")).not.toBe(one);
});

test("a voice that fails leaves it to the next, and without any there is nothing", async () => {
  const [silent, other] = [paperVoice("silent", false), paperVoice("other")];
  const path = await openSpeech({ clock, folder, voices: [silent, other] }).say(1, "İki", "tr-TR");
  expect(await readFile(path!, "utf8")).toBe("İki");
  expect(await openSpeech({ clock, folder, voices: [silent] }).say(1, "Üç", "tr-TR")).toBeUndefined();
  expect((await readdir(folder)).filter((name) => name.includes("draft"))).toEqual([]);
});

test("a voice that hangs with one exchange's sentences speaks another's, and too many at once are not kept", async () => {
  let begun = 0;
  const voice: Voice = {
    name: "hangs",
    speak: async ({ text, path }) => {
      begun++;
      if (text.startsWith("Hostile")) await new Promise(() => undefined);
      await writeFile(path, text);
      return true;
    },
  };
  const speech = openSpeech({ clock, folder, voices: [voice] });
  const hostile = Array.from({ length: 100 }, (_, n) => speech.say(1, `Hostile ${n}`, "en-US"));
  expect(await hostile[99]).toBeUndefined();
  expect(await speech.say(2, "Good morning", "en-US")).toContain(folder);
  expect(begun).toBe(5);
});

test("ever new sentences of one exchange fill no disk, and take nothing from another", async () => {
  const place = join(folder, "full");
  const open = (voice = paperVoice("paper")) => ({
    voice,
    speech: openSpeech({ clock, folder: place, voices: [voice], bytesOfOne: 50 }),
  });
  const { speech } = open();
  const others = await speech.say(2, "Good morning.", "en-US");
  const usual = await speech.say(1, "Usual text", "en-US");
  for (const sign of "abcdefghijklmnopqrstuvwxyz") {
    await speech.say(1, `Sentence ${sign}${sign}`, "en-US");
    expect(await speech.say(1, "Usual text", "en-US")).toBe(usual);
  }
  const left = await readdir(place);
  expect(left).toHaveLength(5);
  expect(await readFile(others!, "utf8")).toBe("Good morning.");
  expect(left.map((name) => join(place, name))).toContain(usual);

  // A start knows what there is, and what was used last; what an earlier version kept is nobody's, and bounded as well.
  await writeFile(join(place, `${"a".repeat(40)}.draft.wav`), "cut off");
  for (const sign of ["b", "c"]) await writeFile(join(place, `${sign.repeat(40)}.wav`), "x".repeat(40));
  await utimes(join(place, `${"b".repeat(40)}.wav`), 1, 1);
  const again = open();
  expect(await again.speech.say(3, "Good morning.", "en-US")).toBe(others);
  expect(again.voice.spoken).toEqual([]);
  expect((await readdir(place)).sort()).toEqual([...left, `${"c".repeat(40)}.wav`].sort());
  await rm(others!);
  expect(await again.speech.say(3, "Good morning.", "en-US")).not.toBe(others);
});

test.each(["tr-TR", "en-US", "ar-XA"] as const)(
  "espeak-ng speaks %s, and the text is never taken for an option",
  async (language) => {
    const speech = openSpeech({ clock, folder: join(folder, "espeak"), voices: [espeakVoice(runAsServer)] });
    const path = await speech.say(1, "--help 15/11/2017 73.56", language);
    const sound = await readFile(path!);
    expect(sound.subarray(0, 4).toString()).toBe("RIFF");
    expect(sound.length).toBeGreaterThan(50_000);
  },
);
