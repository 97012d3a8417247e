// Where the things that tests share may stand: in a room of test/, under a name that says what they are.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path))
    .map((path) => join(folder, path));

const shared = filesIn("test").filter((path) => !path.endsWith(".test.ts"));
const readers = [...filesIn("src"), ...filesIn("test"), ...filesIn("bench"), ...filesIn("bin"), "vitest.config.ts"].map(
  (path) => ({
    path,
    text: readFileSync(path, "utf8"),
  }),
);

test("beside its tests nothing but rooms stands in test/", () => {
  for (const entry of readdirSync("test", { withFileTypes: true }))
    expect(entry.isDirectory() || entry.name.endsWith(".test.ts"), entry.name).toBe(true);
});

test("somebody uses whatever tests share", () => {
  for (const path of shared) {
    // Imported, or started by its name.
    const named = new RegExp(`["/]${basename(path).replaceAll(".", "\\.")}["\`]`);
    const isUsed = readers.some((reader) => reader.path !== path && named.test(reader.text));
    expect(isUsed, `nothing uses ${path}`).toBe(true);
  }
});

test("what tests share has a name that says what it is, and one module runs SIPp", () => {
  for (const path of shared) expect(path).not.toMatch(/(^|[/-])(paper|index|utils?|helpers?|common|misc)([-.]|$)/);
  const startsSipp = shared.filter((path) => /\["sipp"/.test(readFileSync(path, "utf8")));
  expect(startsSipp).toEqual(["test/carriers/sipp.ts"]);
});
