// What must hold of every story that a test brings about: its lines are facts, and Turkish pages show them in Turkish.

import { expect } from "vitest";
import { type StoryLine, storyOf } from "../../src/exchange/calls/story.ts";
import { storyInWords } from "../../src/words/story/story.ts";

/** Words that no English sentence of ours does without, and that Turkish does not have. */
const ENGLISH =
  /\b(the|is|are|was|of|to|not|nothing|and|or|with|by|from|has|been|there|which|its?|calls?|rings?|hears)\b/i;

export function expectWellTold(story: StoryLine[]): void {
  const stored = storyOf(JSON.parse(JSON.stringify(story)));
  expect(stored).toEqual(story);
  for (const line of stored) {
    expect(line, "told as a text").toHaveProperty("is");
    expect(storyInWords(line, "tr")).not.toMatch(ENGLISH);
  }
}
