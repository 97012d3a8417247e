// Whoever sends us text chooses it so that we look at it for as long as possible: no pattern takes more than linear time,
// however its text is made.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { parseAst } from "vite";
import { expect, test } from "vitest";

type Verdict = { status: "safe" | "vulnerable" | "unknown"; attack?: { pattern: string }; error?: { kind: string } };
type Limits = Record<"timeout" | "seedingTimeout" | "incubationTimeout" | "attackTimeout", null> & {
  randomSeed: number;
};
type CheckPattern = (source: string, flags: string, limits: Limits) => Verdict;

/** By its own program where there is one for the machine, or four times as slowly in JavaScript. */
const { checkSync } = createRequire(import.meta.url)("recheck") as { checkSync: CheckPattern };

/**
 * It tries texts by chance where it cannot reckon: always the same ones, so that nobody finds by luck what others did not;
 * and by the steps that they take, since what they take of the time depends on what else the machine does.
 */
const untimed = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null } as const;
const always: Limits = { ...untimed, randomSeed: 7 };

type Pattern = { source: string; flags: string };

/** What is put together while it runs, as it may come out there; the rest of such a pattern is ours. */
const madeWhileRunning: Record<string, readonly Pattern[]> = {
  "contacts/dav-answer.ts": [{ source: "</(?:D:|[\\w.-]+:)?response\\s*>", flags: "gi" }],
  "exchange/recordings/leftovers.ts": [
    { source: "^([0-9a-f]{8}-[0-9a-f-]{27})\\.wav$", flags: "" },
    { source: "^([0-9a-f]{8}-[0-9a-f-]{27})-[0-9a-f]{8}-[0-9a-f-]{27}\\.wav$", flags: "" },
    { source: "^message-([0-9a-f]{8}-[0-9a-f-]{27})\\.wav$", flags: "" },
  ],
  "http/console/operation/misfits.ts": [{ source: "^f[0-9]{1,9}$", flags: "u" }],
  "http/parameters/multipart.ts": [{ source: ';\\s*name=(?:"([^"]*)"|([^\\s;]+))', flags: "i" }],
  "imports/workbook.ts": [{ source: '\\s[\\w]+:id="([^"]{0,300})"', flags: "" }],
  "objects/xml.ts": [{ source: "<Key>([^<]*)</Key>", flags: "" }],
  "sms/receipt.ts": [{ source: '(?:^|[\\s;,])id\\s*[:=]\\s*"?([^\\s";,]+)', flags: "i" }],
  "speech/phrase.ts": [{ source: "^\\d{1,30}$", flags: "" }],
  "store/recovery-codes.ts": [{ source: "^[a-z2-7]{16}$", flags: "" }],
};

test("no pattern takes longer than its text is long", { timeout: 600_000 }, () => {
  const found = readSources();
  expect(found.patterns.size).toBeGreaterThan(300);
  const wrong = [...found.patterns].flatMap(([written, { pattern, paths }]) => {
    const { status, attack, error } = checkSync(pattern.source, pattern.flags, always);
    return status === "safe" ? [] : [`${[...paths].join(", ")}: ${written}: ${attack?.pattern ?? error?.kind}`];
  });
  expect(wrong).toEqual([]);
});

test("it is known what patterns come out of those that are put together while they run", () => {
  const counts = Object.entries(madeWhileRunning).map(([path, patterns]) => [path, patterns.length]);
  expect(readSources().made).toEqual(Object.fromEntries(counts));
});

test("a pattern that is slow is found", () => {
  expect(checkSync("\\s+$", "", always).status).toBe("vulnerable");
});

type Found = {
  patterns: Map<string, { pattern: Pattern; paths: Set<string> }>;
  made: Record<string, number>;
};

function readSources(): Found {
  const patterns: Found["patterns"] = new Map();
  const made: Record<string, number> = {};
  const note = (path: string, pattern: Pattern) => {
    const written = `/${pattern.source}/${pattern.flags}`;
    const known = patterns.get(written) ?? { pattern, paths: new Set<string>() };
    known.paths.add(path);
    patterns.set(written, known);
  };
  for (const folder of ["src", "console"])
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/(?<!\.test|\.d)\.tsx?$/.test(path)) continue;
      const loader = path.endsWith("x") ? "tsx" : "ts";
      const { code } = transformSync(readFileSync(join(folder, path), "utf8"), { loader, target: "esnext" });
      everyNode(parseAst(code), (node) => {
        if (node.regex) note(path, { source: node.regex.pattern, flags: node.regex.flags });
        if (node.callee?.name === "RegExp") made[path] = (made[path] ?? 0) + 1;
      });
    }
  for (const [path, all] of Object.entries(madeWhileRunning)) for (const pattern of all) note(path, pattern);
  return { patterns, made };
}

/** As much of a node of a program as is looked at. */
type Node = { regex?: { pattern: string; flags: string }; callee?: { name?: string } };

function everyNode(inside: unknown, look: (node: Node) => void): void {
  if (typeof inside !== "object" || inside === null) return;
  if (!Array.isArray(inside)) look(inside);
  for (const value of Object.values(inside)) everyNode(value, look);
}
