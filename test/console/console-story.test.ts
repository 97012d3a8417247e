import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The browser's own file, which the server's compiler does not read: it has no pages.
const { storyInWords } = (await import("../../console/words/story.ts" as string)) as {
  storyInWords(text: string, language: "tr" | "en"): string;
};

const FOLDER = "src/exchange";
/** A phone without a handset tells its own story, on a terminal. */
const ELSEWHERE = /^features\/phone\//;
const TOLD = /\btell\(\s*((?:[^`"();]*\?\s*)?)(`(?:[^`\\]|\\.)*`|"[^"]*")(?:\s*:\s*(`(?:[^`\\]|\\.)*`|"[^"]*"))?/g;

/** Every sentence that the sources can write into a call's story, with something in each of its gaps. */
function sentences(): string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file) && !ELSEWHERE.test(file));
  return sources.flatMap((file) =>
    [...readFileSync(join(FOLDER, file), "utf8").matchAll(TOLD)].flatMap(([, , one, other]) =>
      [one, other].flatMap((text) => (text === undefined ? [] : [filled(text.slice(1, -1))])),
    ),
  );
}

/** A gap that holds one of two words gets the first of them, any other a number. */
function filled(template: string): string {
  return template.replace(/\$\{[^`{}]*\?\s*"([^"]*)"[^{}]*\}/g, "$1").replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "7");
}

test("every sentence of a call's story has Turkish words", () => {
  const all = sentences();
  expect(all.length).toBeGreaterThan(40);
  // What ends inside a gap is told below, in full.
  const whole = all.filter((sentence) => sentence !== "7" && !sentence.includes("${"));
  const modes = ["joins", "listens", "whispers"].map((does) => `Ann ${does}`);
  const untold = [...whole, ...modes].filter((sentence) => storyInWords(sentence, "tr") === sentence);
  expect(untold).toEqual([]);
});

test("names, numbers and causes stay in their places", () => {
  const told = (text: string) => [storyInWords(text, "tr"), storyInWords(text, "en")];
  expect(told("extension 1006 (Ann) and extension 1000 talk")).toEqual([
    "Dahili 1006 (Ann) ile dahili 1000 görüşüyor",
    "extension 1006 (Ann) and extension 1000 talk",
  ]);
  expect(told("the call is over: NORMAL_CLEARING")).toEqual(["Çağrı bitti: Cevaplandı", "the call is over: Answered"]);
  expect(told("is offered to 1000 of queue 200, linear among 1000, 1001")[0]).toBe(
    "Kuyruk 200: 1000 temsilcisine veriliyor (linear: 1000, 1001)",
  );
});
