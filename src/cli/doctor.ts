// santral doctor: what is well, what is not, and what to do about it.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { checks } from "../doctor/checks.ts";
import { findingsOf } from "../doctor/finding.ts";
import { plainCommand } from "./command.ts";

const marks = { ok: "  ok", warn: "warn", fail: "FAIL" } as const;

export function addDoctorCommand(program: Command, clock: Clock): void {
  plainCommand(program, clock, {
    usage: "doctor",
    says: "check this machine, and say what to do",
    act: async (_, patient) => {
      const findings = [];
      for (const check of checks) findings.push(...(await findingsOf(check, patient)));
      const failed = findings.filter(({ is }) => is === "fail").length;
      const warned = findings.filter(({ is }) => is === "warn").length;
      const lines = findings.flatMap(({ is, check, says, todo }) => [
        `${marks[is]}  ${check}: ${says}`,
        ...(todo ? [`      to do: ${todo}`] : []),
      ]);
      const sum = failed > 0 ? `${failed} things must be put right` : `nothing is wrong, ${warned} things to know`;
      return { value: { healthy: failed === 0, findings }, lines: [...lines, "", sum], failed: failed > 0 };
    },
  });
}
