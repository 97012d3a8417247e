import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { namesIn } from "./folders.ts";

const folder = mkdtempSync(join(tmpdir(), "santral-"));
writeFileSync(join(folder, "a"), "");
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder that is not there is empty, and one that cannot be read is an error", async () => {
  expect(await namesIn(folder)).toEqual(["a"]);
  expect(await namesIn(join(folder, "b"))).toEqual([]);
  await expect(namesIn(join(folder, "a"))).rejects.toThrow("ENOTDIR");
});
