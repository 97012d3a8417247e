// The `santral` command line: each command is a function over the same parts, one file a noun.

import { Command, CommanderError } from "commander";
import { addBackupCommands } from "./cli/backup.ts";
import { addCallCommands } from "./cli/calls.ts";
import { addDemoCommand } from "./cli/demo.ts";
import { addDoctorCommand } from "./cli/doctor.ts";
import { addExchangeCommands } from "./cli/exchange.ts";
import { addExtensionCommands } from "./cli/extension.ts";
import { addGroupCommands } from "./cli/group.ts";
import { addHolidayCommands } from "./cli/holiday.ts";
import { addJobsCommands } from "./cli/jobs.ts";
import { addKeyCommands } from "./cli/key.ts";
import { addMenuCommands } from "./cli/menu.ts";
import { addNumberCommands } from "./cli/number.ts";
import { addQueueCommands } from "./cli/queue.ts";
import { addRuleCommands } from "./cli/rule.ts";
import { addServerCommands } from "./cli/server.ts";
import { addSipCommands } from "./cli/sip.ts";
import { addStaffCommands } from "./cli/staff.ts";
import { addTrunkCommands } from "./cli/trunk.ts";
import { realClock } from "./clock.ts";
import { exitCodes, GivingUp } from "./give-up.ts";
import { programVersion } from "./places.ts";

const nouns = [
  addServerCommands,
  addExchangeCommands,
  addKeyCommands,
  addExtensionCommands,
  addQueueCommands,
  addGroupCommands,
  addMenuCommands,
  addTrunkCommands,
  addNumberCommands,
  addRuleCommands,
  addStaffCommands,
  addHolidayCommands,
  addJobsCommands,
  addBackupCommands,
  addDemoCommand,
  addCallCommands,
  addSipCommands,
  addDoctorCommand,
];

async function run(words: string[]): Promise<number> {
  const program = new Command("santral").description("A telephone exchange that a business runs itself");
  program.version(programVersion()).exitOverride();
  for (const add of nouns) add(program, realClock);
  exitInsteadOfEnding(program);
  try {
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

// commander asks each command by itself whether it may end the process.
function exitInsteadOfEnding(command: Command): void {
  command.exitOverride();
  for (const inner of command.commands) exitInsteadOfEnding(inner);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage; // it has said why
  if (error instanceof GivingUp) {
    process.stderr.write(`santral: ${error.message}\n`);
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`santral: ${message || "failed"}\n`);
  return exitCodes.failed;
}

// Whoever reads our output may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const exitCode = await run(process.argv.slice(2));
// A part that failed half-way may still hold the event loop; what was printed is let out first.
process.stdout.write("", () => process.exit(process.exitCode ?? exitCode));
