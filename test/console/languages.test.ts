import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

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

test("another language makes the compiler name the texts of each part, and the tables of words, and nothing else", () => {
  const named = new Set([...filesNamedWithAnother("console"), ...filesNamedWithAnother("console/phone")]);
  const tables = [...named].filter((path) => !isTexts(path));
  expect(files.filter((path) => isTexts(path) && !named.has(path))).toEqual([]);
  expect(tables.map((path) => dirname(path)).filter((folder) => !folder.startsWith("src/words"))).toEqual([]);
  // One table that lists the languages in each folder of words, and the pairs beside them.
  expect(tables.sort()).toEqual([
    "src/words/audit/words.ts",
    "src/words/causes.ts",
    "src/words/fax-failures.ts",
    "src/words/languages.ts",
    "src/words/refusals/words.ts",
    "src/words/story/story.ts",
    "src/words/targets.ts",
    "src/words/terms.ts",
  ]);
}, 180_000);

/** The project, with one more language than there is. */
function filesNamedWithAnother(project: string): string[] {
  const { config } = ts.readConfigFile(join(project, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const read = host.readFile;
  host.readFile = (path) =>
    path.endsWith("src/words/languages.ts")
      ? read(path)?.replace('LANGUAGES = ["tr", "en"]', 'LANGUAGES = ["tr", "en", "xx"]')
      : read(path);
  const program = ts.createProgram({ rootNames: fileNames, options: { ...options, noEmit: true }, host });
  const faults = ts.getPreEmitDiagnostics(program);
  return faults.flatMap(({ file }) => (file ? [resolve(file.fileName).slice(process.cwd().length + 1)] : []));
}
