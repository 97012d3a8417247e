import { expect, test } from "vitest";
import { languages } from "../../../speech/language.ts";
import { sentences as ofQueues } from "../queues/sentences.ts";
import { sentences } from "./sentences.ts";

/** Each sentence as it is said with some numbers in it. */
const said = (table: object) =>
  Object.entries(table).map(([name, it]) => [name, typeof it === "function" ? it(2, 3) : it] as const);

test.each([
  ["a mailbox", sentences],
  ["a queue", ofQueues],
])("%s has every sentence in every language, and no two languages share one", (_, tables) => {
  expect(Object.keys(tables).sort()).toEqual([...languages].sort());
  const names = said(tables["tr-TR"]).map(([name]) => name);
  for (const language of languages) {
    expect(said(tables[language]).map(([name]) => name)).toEqual(names);
    for (const [name, text] of said(tables[language])) expect(text.trim(), `${language} ${name}`).not.toBe("");
  }
  for (const name of names) {
    const texts = languages.map((language) => said(tables[language]).find(([it]) => it === name)?.[1]);
    expect(new Set(texts).size, name).toBe(languages.length);
  }
});

test("Arabic is written in Arabic letters, and nothing else is", () => {
  for (const language of languages)
    for (const [name, text] of said(sentences[language]))
      expect(/\p{Script=Arabic}/u.test(text), `${language} ${name}`).toBe(language === "ar-XA");
});
