import { expect, test } from "vitest";
import { inPortions, openScales, weightOf } from "./portions.ts";

const nothings = (count: number) => Array.from({ length: count }, () => ({}));
const portions = (values: readonly unknown[]) => [...inPortions(values, openScales())];

test("values go over in portions of few values and few letters, all of them and in their order", () => {
  const many = Array.from({ length: 1_200 }, (_, at) => at);
  expect(portions(many).map((it) => it?.length)).toEqual([500, 500, 200]);
  expect(portions(many).flat()).toEqual(many);
  expect(portions(Array(3).fill("a".repeat(200_000))).map((it) => it?.length)).toEqual([1, 1, 1]);
  expect(portions(Array(3).fill(nothings(3_000))).map((it) => it?.length)).toEqual([1, 1, 1]);
  expect(portions([])).toEqual([]);
});

test("what lies too deep, or is more than anybody has to say, does not go over", () => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  expect(portions([1, deep(10)])).toEqual([[1, deep(10)]]);
  expect(portions([deep(1_000)])).toEqual([undefined]);
  expect(portions([{ a: { b: nothings(100_000) } }])).toEqual([undefined]);
  expect(portions(Array(100).fill(nothings(20_000))).at(-1)).toBeUndefined();
});

test("an entry with a list that is too long for anybody is still known by it", () => {
  const [portion] = portions([{ dest: Array(70_000).fill("1") }]);
  expect((portion as [{ dest: string[] }])[0].dest).toHaveLength(50_001);
});

test("a value weighs as much as there is in it", () => {
  expect(weightOf({ a: [1, "abc"], b: null }, 10)).toEqual({ values: 5, letters: 3 });
  expect(weightOf({ a: [1, "abc"], b: null }, 4)).toBeUndefined();
});
