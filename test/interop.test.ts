// The page of docs/interop.md, made by a run of the wire tests.

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
