import { expect, test } from "vitest";
import {
  areSame,
  blankField,
  definitionProblems,
  type FormField,
  tidied,
  type WantedField,
  withIds,
} from "./definition.ts";

const field = (more: Partial<WantedField>): WantedField => ({ ...blankField, label: "Konu", ...more });
const problems = (...fields: Partial<WantedField>[]) =>
  definitionProblems(fields.map((more, at) => tidied(field({ label: `Alan ${at}`, ...more }))));

test("a field keeps its id from version to version, and gets a new one when its kind changes", () => {
  const first = withIds([field({ label: "Konu" }), field({ label: "Puan", is: "number" })], []);
  expect(first.map(({ id }) => id)).toEqual(["f1", "f2"]);
  const [subject, score] = first as [FormField, FormField];
  const second = withIds(
    [{ ...score, label: "Not" }, { ...subject, is: "long-text" }, field({ label: "Ek" })],
    [first],
  );
  expect(second.map(({ id, label }) => [id, label])).toEqual([
    ["f2", "Not"],
    ["f3", "Konu"],
    ["f4", "Ek"],
  ]);
  const third = withIds([subject], [second, first]);
  expect(third, "one that comes back after a version without it").toMatchObject([{ id: "f1" }]);
});

test("an id that was never given, or stands there twice, is not taken over", () => {
  const first = withIds([field({})], []);
  const wanted = [field({ id: "f9" }), { ...first[0]! }, { ...first[0]!, label: "Aynısı" }];
  expect(withIds(wanted, [first]).map(({ id }) => id)).toEqual(["f2", "f1", "f3"]);
});

test("two versions are the same when they ask the same in the same words and order", () => {
  const fields = withIds([field({ is: "one-of", choices: ["a", "b"] }), field({ label: "x" })], []);
  expect(areSame(fields, structuredClone(fields))).toBe(true);
  expect(areSame(fields, fields.toReversed())).toBe(false);
  expect(areSame(fields, [{ ...fields[0]!, choices: ["b", "a"] }, fields[1]!])).toBe(false);
  expect(areSame(fields, [{ ...fields[0]!, required: true }, fields[1]!])).toBe(false);
});

test("what means nothing for a kind is left out", () => {
  expect(tidied(field({ label: "  Konu ", choices: ["a"], least: 1, earliest: "2026-01-01" }))).toMatchObject({
    label: "Konu",
    choices: [],
    least: null,
    earliest: null,
  });
  expect(tidied(field({ is: "one-of", choices: [" a ", "", "b"] })).choices).toEqual(["a", "b"]);
});

test("a definition is refused with the place and the reason", () => {
  expect(problems({ label: " " })).toEqual([{ at: 0, why: "no-label" }]);
  expect(problems({ label: "Konu" }, { label: "konu" })).toEqual([{ at: 1, why: "same-label" }]);
  expect(problems({}, { is: "several-of", choices: [" "] })).toEqual([{ at: 1, why: "no-choices" }]);
  expect(problems({ is: "one-of", choices: ["Evet", "evet"] })).toEqual([{ at: 0, why: "same-choice" }]);
  expect(problems({ is: "number", least: 5, most: 1 })).toEqual([{ at: 0, why: "limits-reversed" }]);
  expect(problems({ is: "date", earliest: "2026-02-01", latest: "2026-01-01" })).toMatchObject([{ at: 0 }]);
  expect(problems({ is: "date", earliest: "2026-02-30" })).toEqual([{ at: 0, why: "limit-too-far" }]);
  expect(problems({ is: "short-text", most: 256 })).toEqual([{ at: 0, why: "limit-too-far" }]);
  expect(problems({ is: "several-of", choices: ["a"], least: 2 })).toEqual([{ at: 0, why: "limit-too-far" }]);
  expect(problems({ is: "number", most: Number.NaN })).toEqual([{ at: 0, why: "limit-too-far" }]);
  expect(problems({ help: "\ud800" }, { label: "a\u0000" })).toMatchObject([
    { why: "unwritable" },
    { why: "unwritable" },
  ]);
  expect(
    problems({ is: "long-text", most: 4_000 }, { is: "number", least: -1.5, most: 1.5 }, { is: "yes-no" }),
  ).toEqual([]);
});
