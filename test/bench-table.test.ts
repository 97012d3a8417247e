// The table of `npm run bench`: figures read back from what benches print, and what is called worse.

import { expect, test } from "vitest";
import { benches } from "../bench/benches.ts";
import { type Figure, lineOf } from "../bench/figure.ts";
import {
  besideEachOther,
  findUnsaid,
  findWorse,
  type Measured,
  merge,
  performancePage,
  printTable,
  readFigure,
} from "../bench/figure-table.ts";
import { whyOf } from "../bench/one-bench.ts";

const cost: Measured = {
  name: "recorded-call",
  value: 14,
  unit: "ms",
  better: "less",
  goal: 15,
  yardstick: "a call that is not recorded",
  ratio: 2,
  with: 'recording, MP3 "kept"',
  bench: "recording",
  machine: "2 cores",
};

test("a figure is read back as it was told, and any other line is none", () => {
  const { bench, machine, ...figure } = cost;
  expect(readFigure(lineOf(figure))).toEqual(figure);
  const plain: Figure = { name: "sms", value: 3000, unit: "/s", better: "more", with: "" };
  expect(lineOf(plain)).toBe('FIGURE name=sms value=3000 unit=/s better=more with=""');
  expect(readFigure(lineOf(plain))).toEqual(plain);
  expect(readFigure("50 faxes went well")).toBeUndefined();
  expect(() => readFigure("FIGURE name=sms value=NaN unit=/s better=more")).toThrow("no figure");
});

test("what got worse by more than a tenth is told: by its ratio, and by its value only on the same machine", () => {
  const elsewhere = { ...cost, value: 40, machine: "4 cores" };
  expect(findWorse([cost], [{ ...elsewhere, ratio: 2.1 }])).toEqual([]);
  expect(findWorse([cost], [{ ...elsewhere, ratio: 2.5 }])).toMatchObject([{ name: "recorded-call", percent: 25 }]);
  const { ratio, yardstick, ...bare } = cost;
  expect(findWorse([bare], [{ ...bare, value: 40, machine: "4 cores" }])).toEqual([]);
  expect(findWorse([bare], [{ ...bare, value: 21 }])).toMatchObject([{ percent: 50 }]);
  const rate: Measured = { ...bare, better: "more" };
  expect(findWorse([rate], [{ ...rate, value: 21 }])).toEqual([]);
  expect(findWorse([rate], [{ ...rate, value: 7 }])).toMatchObject([{ percent: 100 }]);
});

test("figures of benches that ran replace the former ones, and those of the others stay", () => {
  const sms: Measured = { ...cost, name: "sms", bench: "sms" };
  const again = { ...cost, name: "another", value: 3 };
  expect(merge([sms, cost], [again], { ran: ["recording"], order: ["recording", "sms"] })).toEqual([again, sms]);
  expect(findUnsaid([sms, cost], [again], ["recording"])).toEqual(["recorded-call"]);
});

test("tables name value, goal, ratio and what was switched on", () => {
  for (const text of [printTable([cost]), performancePage([cost])])
    for (const word of ["14 ms", "15 ms", "2 x a call that is not recorded", 'recording, MP3 "kept"', " reached"])
      expect(text).toContain(word);
  expect(performancePage([{ ...cost, value: 187 }])).toContain("not reached");
});

test("a bench that fails says why in a line, and every bench has one name", () => {
  expect(whyOf(["a", "Error: spawn wrk ENOENT", "    at x", "Node.js v20"], 1)).toBe("Error: spawn wrk ENOENT");
  expect(whyOf(["a"], 3)).toBe("exit code 3");
  expect(new Set(benches.map(({ name }) => name)).size).toBe(benches.length);
});

test("two versions measured in turn are told by the best turn of each", () => {
  const told = (value: number, better: Figure["better"]): Figure => ({
    name: "a",
    value,
    unit: "ms",
    better,
    with: "",
  });
  const less = (...values: number[]) => values.map((value) => told(value, "less"));
  expect(besideEachOther(less(12, 10.5), less(10, 14))).toEqual(["a: 10 ms there, 10.5 ms here, worse by 5 %"]);
  const more = (...values: number[]) => values.map((value) => told(value, "more"));
  expect(besideEachOther(more(20, 22), more(20))).toEqual(["a: 20 ms there, 22 ms here, better by 9.1 %"]);
  expect(besideEachOther(less(10), [])).toEqual(["a: not there before"]);
});
