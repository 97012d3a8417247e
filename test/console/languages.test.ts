import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { byName } from "../../console/words/collation.ts";

const files = readdirSync("console", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join("console", path));

const isTexts = (path: string) => /\/texts\.ts$/.test(path);

test("a part of the console keeps its texts in one file, and no other file lists the languages", () => {
  for (const path of files) {
    if (isTexts(path)) continue;
    const found = /\b(tr|en): |"(tr|en)"|\.(tr|en)\b(?!\.)/.exec(readFileSync(path, "utf8"));
    expect(found?.[0], path).toBeUndefined();
  }
});

test("dates, numbers, durations and the order of words have one form a language, in one file each", () => {
  const homes = ["src/words/stamps.ts", "console/words/stamps.ts", "console/words/collation.ts"];
  const words = readdirSync("src/words", { recursive: true, encoding: "utf8" }).map((path) => join("src/words", path));
  const all = [...files, ...words.filter((path) => /(?<!\.test)\.ts$/.test(path))];
  for (const path of all.filter((path) => !homes.includes(path))) {
    const found = /\.toLocale(Date|Time)?String\(|\bIntl\.|\.localeCompare\(/.exec(readFileSync(path, "utf8"));
    expect(found?.[0], path).toBeUndefined();
  }
});

test("what somebody typed is a moment of the exchange's clock, never of the browser's: one file makes dates", () => {
  for (const path of files.filter((path) => path !== "console/words/stamps.ts")) {
    const text = readFileSync(path, "utf8");
    const found = /\bnew Date\(|\.(get|set)(Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(/.exec(text);
    expect(found?.[0], path).toBeUndefined();
    if (text.includes("datetime-local")) expect(text, path).toContain("momentAt(");
  }
});

test("names of a whole list stand in the order of the page's language, wherever the list is used", () => {
  const given = ["İpek", "ılık", "Dora", "Ilgaz", "Çiğdem", "Cem"].map((name) => ({ name }));
  const ordered = (language: "tr" | "en") => byName(given, language).map(({ name }) => name);
  expect(ordered("tr")).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "ılık", "İpek"]);
  expect(ordered("en")).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "İpek", "ılık"]);
  const source = readFileSync("console/ask/use-ask.ts", "utf8");
  const named = [...source.matchAll(/^ {2}\| "(\w+\.\w+)"/gm)].map(([, name]) => name);
  expect(named).toContain("forms.list");
  for (const path of files)
    for (const name of named) expect(readFileSync(path, "utf8"), path).not.toContain(`useAsk("${name}"`);
});

test("another language makes the compiler name the texts of each part, the nouns and the tables of words, and nothing else", () => {
  const named = new Set(filesNamedWithAnother());
  const tables = [...named].filter((path) => !isTexts(path) && dirname(path) !== "src/nouns");
  expect(files.filter((path) => isTexts(path) && !named.has(path))).toEqual([]);
  // Records of nouns and targets say their own words. Beside them: a table in each folder of words, and the pairs.
  expect(tables.sort()).toEqual([
    "src/exchange/plan/target.ts",
    "src/languages.ts",
    "src/words/alarms.ts",
    "src/words/archive-troubles.ts",
    "src/words/audit/changed.ts",
    "src/words/audit/changes.ts",
    "src/words/audit/kinds.ts",
    "src/words/audit/values.ts",
    "src/words/audit/words.ts",
    "src/words/barred.ts",
    "src/words/causes.ts",
    "src/words/come-again.ts",
    "src/words/contact-sources.ts",
    "src/words/enders.ts",
    "src/words/fax-failures.ts",
    "src/words/form-words.ts",
    "src/words/import-words.ts",
    "src/words/letters/words.ts",
    "src/words/lost-calls.ts",
    "src/words/mail-failures.ts",
    "src/words/refusals/words.ts",
    "src/words/report-letter.ts",
    "src/words/spending-alarms.ts",
    "src/words/sso-troubles.ts",
    "src/words/story/story.ts",
    "src/words/supervision.ts",
    "src/words/table-columns.ts",
    "src/words/terms.ts",
    "src/words/trunk-troubles.ts",
    "src/words/week.ts",
  ]);
}, 600_000);

/**
 * Compiles a copy of the tree that has one more language: the texts and whatever else may list languages, with all that
 * they need. Faults that only follow from a noun without it do not count.
 */
function filesNamedWithAnother(): string[] {
  const tree = mkdtempSync(join(tmpdir(), "santral-languages-"));
  try {
    for (const part of ["src", "console", "tsconfig.json"]) cpSync(part, join(tree, part), { recursive: true });
    symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    const languages = join(tree, "src/languages.ts");
    writeFileSync(languages, readFileSync(languages, "utf8").replace('["tr", "en"]', '["tr", "en", "xx"]'));
    const include = ["console/**/texts.ts", "console/words/**/*.ts", "src/words/**/*.ts", "src/nouns/**/*.ts"];
    const kept = { extends: "./console/tsconfig.json", include, exclude: ["**/*.test.ts"] };
    writeFileSync(join(tree, "languages.json"), JSON.stringify(kept));
    // By one thread: several check the same types each, and there are other tests for the other cores.
    const compile = ["node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false", "--singleThreaded"];
    const { stdout } = spawnSync(process.execPath, [...compile, "-p", "languages.json"], {
      cwd: tree,
      encoding: "utf8",
    });
    return [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error .*Property 'xx' is missing/gm)].map(([, path]) => path!); // the form has one group
  } finally {
    rmSync(tree, { recursive: true });
  }
}
