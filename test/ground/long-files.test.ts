import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LONG } from "./long-files.ts";

test("every file that begins early is there, and named once", () => {
  expect(LONG.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});
