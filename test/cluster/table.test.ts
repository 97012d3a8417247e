import { expect, test } from "vitest";
import { figureIn } from "./drill-restart.ts";
import { asMarkdown, asText, share } from "./table.ts";

const rows = [
  { drill: "kill", required: "10 of 10", seen: "10 of 10", met: true },
  { drill: "rolling", required: "0 dropped", seen: "2 | dropped", met: false },
];

test("a table says of each drill what was required, what was seen, and whether that is enough", () => {
  const [heads, first, second] = asText(rows).split("\n");
  expect(heads).toMatch(/^ +drill +required +seen$/);
  expect(first).toMatch(/^met +kill +10 of 10 +10 of 10$/);
  expect(second).toMatch(/^NOT MET +rolling/);
  expect(asMarkdown(rows, "Here.")).toContain("| rolling | 0 dropped | 2 \\| dropped | **not met** |");
});

test("a share of values, as it is told", () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([share(values, 0.5), share(values, 0.95), share(values, 1)]).toEqual([50, 95, 100]);
  expect(share([7], 0.95)).toBe(7);
  expect(share([], 0.95)).toBeNaN();
});

test("the figure of the test with one machine is read out of what it says", () => {
  const said = "stdout | x\ngaps of 24 calls in ms: median 1201, p95 1310, longest 1333\n";
  expect(figureIn(said)).toEqual({ median: 1_201, p95: 1_310, longest: 1_333 });
  expect(figureIn("it failed")).toBeUndefined();
});
