import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventTable, settingsReference } from "./settings.ts";

test("the written settings are those of the records: npm run docs", () => {
  expect(readFileSync("docs/settings.md", "utf8")).toBe(settingsReference());
});

test("the documented events are those of the records: npm run docs", () => {
  expect(readFileSync("docs/webhooks.md", "utf8")).toContain(`\n${eventTable()}\n`);
});
