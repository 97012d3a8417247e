import { expect, test } from "vitest";
import { bannedWords } from "./banned-words.ts";

test("a banned word is found as a whole word, alone and in a row, however its letters are written", () => {
  const isBanned = bannedWords(["kumar", "Bahis Sitesi", "bahis", "ŞANS oyunu"]);
  for (const text of ["Kumar!", "online KUMAR oyna", "en iyi bahis  sitesi", "sans-oyunu", "şans\noyunu", "bahis"])
    expect(isBanned(text), text).toBe(true);
  for (const text of ["kumarhane", "şans", "oyunu şans", "", "!!!", "sanso yunu"])
    expect(isBanned(text), text).toBe(false);
  expect(bannedWords([])("kumar")).toBe(false);
  expect(bannedWords(["", "..."])("...")).toBe(false);
});

test("very many banned words are looked for as quickly as few", () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `a ${"a ".repeat(at % 100)}b${at}`);
  const isBanned = bannedWords(words);
  expect(isBanned("a ".repeat(5_000))).toBe(false);
  expect(isBanned(`${"a ".repeat(5_000)}b0`)).toBe(true);
  expect(bannedWords(words)).toBe(isBanned);
});
