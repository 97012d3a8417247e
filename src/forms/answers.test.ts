import { expect, test } from "vitest";
import { LANGUAGES } from "../languages.ts";
import { answerProblemInWords } from "../words/form-words.ts";
import { answerShown, checkAnswers } from "./answers.ts";
import { blankField, type FormField, fieldKinds, type WantedField } from "./definition.ts";

type More = Partial<Omit<WantedField, "id">>;

const field = (is: WantedField["is"], more: More = {}): FormField => ({
  ...blankField,
  label: is,
  is,
  id: "f1",
  ...more,
});
const check = (is: WantedField["is"], value: unknown, more: More = {}) => {
  const checked = checkAnswers([field(is, more)], { f1: value });
  return "answers" in checked ? checked.answers.f1 : checked.problems[0]?.is;
};

test("each kind keeps what people write, in one form", () => {
  expect(check("short-text", "  İade  ")).toBe("İade");
  expect(check("long-text", "bir\niki")).toBe("bir\niki");
  expect(check("number", "12,5")).toBe(12.5);
  expect(check("number", "-3")).toBe(-3);
  expect(check("date", "2028-02-29")).toBe("2028-02-29");
  expect(check("one-of", "b", { choices: ["a", "b"] })).toBe("b");
  expect(check("several-of", ["c", "a", "a"], { choices: ["a", "b", "c"] })).toEqual(["a", "c"]);
  expect(check("yes-no", false)).toBe(false);
  expect(check("phone", "+90 (532) 123-45-67")).toBe("+905321234567");
  expect(check("phone", "0532 123 45 67")).toBe("05321234567");
});

test("what does not fit is refused with its reason", () => {
  expect(check("short-text", "bir\niki")).toBe("unreadable");
  expect(check("short-text", "a\u0000")).toBe("unreadable");
  expect(check("long-text", "a\ud83d")).toBe("unreadable");
  expect(check("long-text", { $gt: "" })).toBe("unreadable");
  expect(check("short-text", "abc", { most: 2 })).toBe("too-long");
  expect(check("short-text", "a".repeat(256))).toBe("too-long");
  expect(check("long-text", "a".repeat(4_001))).toBe("too-long");
  for (const no of ["1e5", "0x10", "Infinity", "1.2.3", "١", Number.NaN, {}, true, "1".repeat(40)])
    expect(check("number", no), String(no)).toBe("not-a-number");
  expect(check("number", 0, { least: 1 })).toBe("too-small");
  expect(check("number", 11, { most: 10 })).toBe("too-large");
  expect(check("number", 1e300)).toBe("too-large");
  for (const no of ["2026-02-30", "31.12.2026", "2026-1-1", 20260101, ["2026-01-01"]])
    expect(check("date", no), String(no)).toBe("not-a-date");
  expect(check("date", "2025-12-31", { earliest: "2026-01-01" })).toBe("too-early");
  expect(check("date", "2026-01-02", { latest: "2026-01-01" })).toBe("too-late");
  expect(check("one-of", "c", { choices: ["a"] })).toBe("not-a-choice");
  expect(check("one-of", ["a"], { choices: ["a"] })).toBe("not-a-choice");
  expect(check("several-of", "a", { choices: ["a"] })).toBe("not-a-choice");
  expect(check("several-of", ["a", {}], { choices: ["a", "b"] })).toBe("not-a-choice");
  expect(check("several-of", ["a"], { choices: ["a", "b"], least: 2 })).toBe("too-few");
  expect(check("several-of", ["a", "b"], { choices: ["a", "b"], most: 1 })).toBe("too-many");
  expect(check("yes-no", "true")).toBe("not-yes-or-no");
  for (const no of ["12", "1".repeat(16), "sip:1@a", "0532;ext=1", 532]) expect(check("phone", no)).toBe("not-a-phone");
});

test("what is left empty is not kept, and may not be where it is required", () => {
  for (const is of fieldKinds)
    for (const empty of [undefined, null, "", "  ", []]) {
      expect(checkAnswers([field(is)], { f1: empty })).toEqual({ answers: {} });
      expect(checkAnswers([field(is, { required: true })], { f1: empty })).toEqual({
        problems: [{ field: "f1", is: "required" }],
      });
    }
  expect(check("yes-no", false, { required: true }), "no is an answer").toBe(false);
});

test("names that are no fields are refused, whatever they are", () => {
  for (const name of ["f2", "constructor", "toString", "x".repeat(5_000)])
    expect(checkAnswers([field("short-text")], { [name]: "a" })).toEqual({
      problems: [{ field: name.slice(0, 40), is: "no-such-field" }],
    });
  expect(checkAnswers([field("short-text", { required: true })], Object.create({ f1: "inherited" }))).toEqual({
    problems: [{ field: "f1", is: "required" }],
  });
});

test("each reason has words, with its limit, in every language", () => {
  for (const language of LANGUAGES) {
    expect(answerProblemInWords({ field: "f1", is: "required" }, language)).not.toBe("");
    expect(answerProblemInWords({ field: "f1", is: "too-long", limit: 12 }, language)).toContain("12");
    expect(answerProblemInWords({ field: "f1", is: "too-early", limit: "2026-01-01" }, language)).toContain("2026");
  }
});

test("a cell of a table shows an answer in words", () => {
  const words = { yes: "Evet", no: "Hayır" };
  expect([undefined, true, ["a", "b"], 1.5, "x"].map((answer) => answerShown(answer, words))).toEqual([
    "",
    "Evet",
    "a; b",
    "1.5",
    "x",
  ]);
});
