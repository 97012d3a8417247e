// The documentation that the console leads to: every page and step has its place there, and no link in it leads nowhere.

import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";

type Help = {
  documentsIn(root: string): Map<string, string>;
  pageOf(name: string, text: string, texts: unknown): string;
};

const { documentsIn, pageOf } = (await import("../../bin/help-pages.mjs" as string)) as Help;
const texts = documentsIn(".");
const pages = new Map([...texts].map(([name, text]) => [name.replace(/\.md$/, ".html"), pageOf(name, text, texts)]));

function isThere(path: string, anchor: string | undefined): boolean {
  const page = pages.get(path);
  return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`));
}

test("every page of the console and every first step leads to a document and a heading that are there", () => {
  const paths = [...readFileSync("console/app/pages.ts", "utf8").matchAll(/page\(\["\/([^"/]*)/g)].map(
    ([, path]) => path,
  );
  const help = readFileSync("console/ui/help.tsx", "utf8");
  const led = [...help.matchAll(/^ {2}"?([\w-]*)"?: "([\w-]+)(?:#([\w-]+))?",$/gm)];
  const alone = ["wallboard"]; // it has no heading to stand beside
  expect([...new Set(led.map(([, path]) => path))].sort()).toEqual(
    [...new Set(paths)].filter((path) => !alone.includes(path ?? "")).sort(),
  );
  const steps = [
    ...readFileSync("console/pages/setup/setup.tsx", "utf8").matchAll(/document: "(([\w-]+)(?:#([\w-]+))?)"/g),
  ];
  expect(steps.length).toBe(7);
  const lost = [...led, ...steps].filter(([, , name, anchor]) => !isThere(`${name}.html`, anchor));
  expect(lost.map(([text]) => text)).toEqual([]);
});

test("a link of the documentation leads to a heading that is there, and nothing in it can run", () => {
  const lost = [...pages].flatMap(([name, page]) =>
    [...page.matchAll(/<a href="(?!http)([^"#]*)(?:#([^"]*))?"/g)].flatMap(([, path = "", anchor]) => {
      const to = path === "" ? name : posix.normalize(posix.join(posix.dirname(name), path));
      return isThere(to, anchor) ? [] : [`${name}: ${path}#${anchor ?? ""}`];
    }),
  );
  expect(lost).toEqual([]);
  for (const page of pages.values()) expect(page).not.toMatch(/<script|\son\w+=/);
});
