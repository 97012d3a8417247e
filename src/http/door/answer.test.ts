import { expect, test } from "vitest";
import { rangeOf } from "./answer.ts";

const rows: [header: string | undefined, range: unknown][] = [
  [undefined, undefined],
  ["bytes=0-9", { from: 0, to: 9 }],
  ["bytes=90-", { from: 90, to: 99 }],
  ["bytes=90-1000", { from: 90, to: 99 }],
  ["bytes=-10", { from: 90, to: 99 }],
  ["bytes=-1000", { from: 0, to: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=9-3", undefined],
  ["bytes=0-1,5-6", undefined],
  ["bytes=-", undefined],
  ["lines=1-2", undefined],
  ["bytes=99999999999999999999-", "unsatisfiable"],
];

test.each(rows)("of 100 bytes, %j is %j", (header, range) => {
  expect(rangeOf(header, 100)).toEqual(range);
});
