// Writes docs/interop.md from what the tests that passed have shown, when the run is asked for it (`npm run interop`).

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestModule } from "vitest/node";
import { type Program, programs, type Shown, versionOf } from "./interop.ts";

const PAGE = fileURLToPath(new URL("../../docs/interop.md", import.meta.url));

export default class InteropReporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.SANTRAL_INTEROP !== "write") return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const shown = tests.flatMap((test) => {
      const { shown } = test.meta();
      return shown && test.result().state === "passed" ? [shown] : [];
    });
    writeFileSync(PAGE, interopPage(shown, versionOf));
  }
}

export function interopPage(shown: readonly Shown[], version: (program: Program) => string): string {
  const used = programs.filter((program) => shown.some((it) => it.programs.includes(program)));
  const areas = new Map<string, Map<string, Set<Program>>>();
  for (const { features, programs } of shown)
    for (const feature of features) {
      const [area = "", name = ""] = feature.split(/: (.*)/s);
      const ofArea = areas.get(area) ?? new Map<string, Set<Program>>();
      areas.set(area, ofArea.set(name, new Set([...(ofArea.get(name) ?? []), ...programs])));
    }
  const tables = [...areas]
    .sort(byName)
    .map(([area, features]) =>
      [
        `## ${area[0]?.toUpperCase()}${area.slice(1)}`,
        "",
        `| | ${used.join(" | ")} |`,
        `|---|${used.map(() => ":-:|").join("")}`,
        ...[...features]
          .sort(byName)
          .map(([name, by]) => `| ${name} | ${used.map((it) => (by.has(it) ? "✓" : "")).join(" | ")} |`),
      ].join("\n"),
    );
  return `${HEAD}\n\n${used.map((it) => `- ${it} ${version(it)}`).join("\n")}\n\n${tables.join("\n\n")}\n`;
}

const byName = (one: readonly [string, unknown], other: readonly [string, unknown]) =>
  one[0].localeCompare(other[0], "en");

const HEAD = `# Which programs it was tried with

Made by the tests that passed (\`npm run interop\`); a tick is a test in which that program did it, and where voice is the point, what it heard was checked.`;
