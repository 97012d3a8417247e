// Each promise of docs/security.md names the test that holds it: the test is there, and every row has one.

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/security.md", "utf8");
const rowsOf = (heading: string) =>
  (page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));

test.each(["Attacks, and what comes of them", "What holds the promises"])("every row of “%s” names its tests", (it) => {
  const [heading = "", ...rows] = rowsOf(it);
  expect(heading).toMatch(/\| Test \|$/);
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(row).toMatch(/`(src|test)\/[\w/.-]+`[^|]*\|$/);
});

test("every test that is named is there", () => {
  const named = [...page.matchAll(/`((?:src|test)\/[\w/.-]+)`/g)].map(([, path = ""]) => path);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
