// No program is started by the thread that speaks SIP while calls are up: to start one takes milliseconds there.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Who may start processes, and why no call waits for it. */
const starters: Record<string, string> = {
  "programs/program.ts": "in the thread that starts programs, and in tests",
  "supervisor/supervise.ts": "the parent of a server speaks no SIP",
  "store/postmaster.ts": "the embedded database, before the doors open or when it has died",
  "store/embedded.ts": "before the doors open",
  "store/ordinary-user.ts": "before the doors open",
  "first-run/welcome.ts": "before the doors open, once",
  "doctor/machine.ts": "a command",
  "doctor/user.ts": "a command",
  "codecs/coder-process.ts": "one for each media thread, with its first call in that codec",
  "programs/own-process.ts":
    "one for all faxes and one for all browsers, with the first; the channel belongs to who talks over it",
};

/** A type of it starts nothing. */
const STARTS = /^import (?!type ).*"node:child_process"|getBuiltinModule\("node:child_process"\)/m;

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join("src", path), "utf8") }));

test("only those start processes of whom it is known why no call waits for it", () => {
  const found = sources.filter(({ text }) => STARTS.test(text)).map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(starters).sort());
});

test("what is started for good is told none of our settings", () => {
  const kept = ["doctor/machine.ts", "doctor/user.ts", "store/ordinary-user.ts"]; // they ask a tool, and it has ended
  for (const { path, text } of sources.filter(({ text }) => STARTS.test(text)))
    if (!kept.includes(path)) expect(text, path).toMatch(/\benv: (bareEnvironment\(\)|\{\})/);
});

test("a server's parts are handed the thread that starts programs, and none starts one by itself", () => {
  const direct = sources.filter(({ text }) =>
    /import \{[^}]*\b(?:runProgram|runnerIn)\b[^}]*\} from ".*\/program\.ts"/.test(text),
  );
  expect(direct.map(({ path }) => path)).toEqual(["programs/program-thread.ts"]);
});
