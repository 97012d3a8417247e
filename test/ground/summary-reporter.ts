// One plain closing line that any reader of the output can count by.

import type { TestModule } from "vitest/node";

export default class SummaryReporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const result = test.result();
        counts[result.state] += 1;
        if (result.state === "skipped" && result.note)
          process.stdout.write(`\nskipped: ${test.fullName}: ${result.note}`);
      }
    const broken = modules.filter((module) => module.errors().length > 0).length;
    // What fails beside every test fails the run as well.
    const failed = counts.failed + broken + unhandled.length;
    process.stdout.write(`\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped\n`);
  }
}
