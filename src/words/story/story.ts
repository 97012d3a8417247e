// A call's story in words, for whoever reads it: console, command line, mail.

import type { StoryFact, StoryLine } from "../../exchange/calls/story.ts";
import type { Language } from "../../languages.ts";
import { en } from "./en.ts";
import type { StoryWords } from "./table.ts";
import { tr } from "./tr.ts";

const tables: Record<Language, StoryWords> = { tr, en };

export function storyInWords(line: StoryFact | StoryLine, language: Language): string {
  if (!("is" in line)) return line.text;
  // The words are chosen by the very field their parameter narrows on.
  return (tables[language][line.is] as (fact: StoryFact) => string)(line);
}
