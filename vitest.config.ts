import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/ground/longest-first.ts";

/** They put something else in the place of a module, so that nobody may share it with them. */
const WITH_MODULES_OF_THEIR_OWN = ["src/exchange/recordings/keep-crash.test.ts"];

const shared = {
  setupFiles: ["test/ground/hooks.ts"],
  pool: "threads" as const,
  // Limits for what hangs, not for what is slow: a machine may stand still for seconds, or be four times as slow.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  // What is waited for comes at once on a quiet machine; the usual second is too little on one that runs all the rest.
  expect: { poll: { timeout: 60_000 } },
  // To import everything anew for each file took longer than the tests of most.
  isolate: false,
};

/** Programs, telephones and browsers. */
const WHOLE = ["wire", "chaos", "cluster", "media", "package", "upgrade"].map((room) => `test/${room}/**/*.test.ts`);
const PARTS = ["src/**/*.test.ts", "test/**/*.test.ts"];

export default defineConfig({
  test: {
    // Once for both.
    globalSetup: ["test/ground/global-setup.ts"],
    reporters: ["default", "./test/ground/interop-reporter.ts", "./test/ground/summary-reporter.ts"],
    // Two more than the smallest machine has cores: telephones and fax machines mostly wait for time to pass.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: "whole", include: WHOLE } },
      { test: { ...shared, name: "parts", include: PARTS, exclude: [...WHOLE, ...WITH_MODULES_OF_THEIR_OWN] } },
      { test: { ...shared, name: "apart", include: WITH_MODULES_OF_THEIR_OWN, isolate: true } },
    ],
  },
});
