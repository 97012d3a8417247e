// The page of docs/interop.md, made by a run of the wire tests.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { interopPage } from "./ground/interop-reporter.ts";

test("a feature is one line, with a tick for each program that showed it", () => {
  const page = interopPage(
    [
      { features: ["transfers: blind"], programs: ["baresip"] },
      { features: ["transfers: blind"], programs: ["SIPp"] },
      { features: ["calls: held: and resumed"], programs: ["baresip"] },
    ],
    (program) => `${program.length}.0`,
  );
  expect(page).toContain("- baresip 7.0\n- SIPp 4.0\n");
  expect(page).toContain("| | baresip | SIPp |\n|---|:-:|:-:|\n| blind | ✓ | ✓ |");
  expect(page.indexOf("## Calls")).toBeLessThan(page.indexOf("## Transfers"));
  expect(page).toContain("| held: and resumed | ✓ |  |");
});

test("every feature that a test shows stands on the page", () => {
  const page = readFileSync(new URL("../docs/interop.md", import.meta.url), "utf8");
  const wire = new URL("./wire/", import.meta.url);
  const sources = readdirSync(wire).flatMap((name) =>
    // Published scenarios are played only where somebody has a folder of them.
    name.endsWith(".test.ts") && name !== "public-scenarios.test.ts" ? [readFileSync(new URL(name, wire), "utf8")] : [],
  );
  const shown = sources.flatMap((text) =>
    [...text.matchAll(/shows\(\s*(\[[^\]]*\]|"[^"]*")/g)].flatMap(([, named = ""]) =>
      [...named.matchAll(/"[^":]+: ([^"]+)"/g)].map(([, feature]) => feature),
    ),
  );
  expect(shown.length).toBeGreaterThan(80);
  expect(shown.filter((feature) => !page.includes(`| ${feature} |`))).toEqual([]);
});
