import { describe, expect, test } from "vitest";
import { readPhrase, spokenText } from "./phrase.ts";
import { turkish } from "./words/turkish.ts";

test.each([
  [0, "sıfır"],
  [1, "bir"],
  [10, "on"],
  [19, "on dokuz"],
  [100, "yüz"],
  [101, "yüz bir"],
  [256, "iki yüz elli altı"],
  [1_000, "bin"],
  [1_001, "bin bir"],
  [2_017, "iki bin on yedi"],
  [11_000, "on bir bin"],
  [101_000, "yüz bir bin"],
  [1_000_000, "bir milyon"],
  [1_001_001, "bir milyon bin bir"],
  [-5, "eksi beş"],
])("Turkish says %i as %s", (number, words) => {
  expect(turkish.cardinal(BigInt(number))).toBe(words);
});

describe("a phrase", () => {
  test("of sounds, a date and an amount", () => {
    expect(readPhrase("#456 15/11/2017 #457 73.56 #458", "tr-TR")).toEqual([
      { play: 456 },
      { say: "on beş Kasım iki bin on yedi" },
      { play: 457 },
      { say: "yetmiş üç lira elli altı kuruş" },
      { play: 458 },
    ]);
  });

  test("in English and Arabic", () => {
    expect(readPhrase("15/11/2017 73.56", "en-US")).toEqual([
      { say: "November fifteenth, two thousand seventeen seventy-three lira and fifty-six kurush" },
    ]);
    const [arabic] = readPhrase("73.56", "ar-XA");
    expect(arabic).toEqual({ say: expect.stringContaining("ليرة") });
  });

  test.each([
    ["0.05", "beş kuruş"],
    ["100.00", "yüz lira"],
    ["007", "sıfır sıfır yedi"],
    ["31/02/2020", "31/02/2020"],
    ["Merhaba, 3 yeni mesaj.", "Merhaba, üç yeni mesaj."],
    ["12345678901234567890", "12345678901234567890"],
  ])("%s is said as %s", (text, words) => {
    expect(spokenText(text, "tr-TR")).toBe(words);
  });

  test("that is empty says nothing", () => {
    expect(readPhrase("   ", "tr-TR")).toEqual([]);
  });
});
