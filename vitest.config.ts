import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/ground/global-setup.ts"],
    reporters: ["default", "./test/ground/interop-reporter.ts", "./test/ground/summary-reporter.ts"],
    pool: "threads",
    // Two more than the smallest machine has cores: telephones and fax machines mostly wait for time to pass.
    maxWorkers: 4,
    // Limits for what hangs, not for what is slow: a machine may stand still for seconds, or be four times as slow.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What is waited for comes at once on a quiet machine; the usual second is too little on one that runs all the rest.
    expect: { poll: { timeout: 60_000 } },
  },
});
