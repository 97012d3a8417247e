// The whole `santral` command: its nouns, and what becomes of a command that cannot go on.

import { Command, CommanderError } from "commander";
import type { Clock } from "../clock.ts";
import { exitCodes } from "../exit-codes.ts";
import { programVersion } from "../places.ts";
import { GivingUp } from "../server/give-up.ts";
import { addAgentCommands } from "./agent.ts";
import { addArchiveCommands } from "./archive.ts";
import { addBackupCommands } from "./backup.ts";
import { addCallCommands } from "./calls.ts";
import { addCampaignCommands } from "./campaign.ts";
import { addContactCommands } from "./contact-source.ts";
import { addDemoCommand } from "./demo.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addExchangeCommands } from "./exchange.ts";
import { addExtensionCommands } from "./extension.ts";
import { addFilesCommands } from "./files.ts";
import { addFormCommands } from "./form.ts";
import { addGroupCommands } from "./group.ts";
import { addHolidayCommands } from "./holiday.ts";
import { addJobsCommands } from "./jobs.ts";
import { addKeyCommands } from "./key.ts";
import { addMailboxCommands } from "./mailbox.ts";
import { addMenuCommands } from "./menu.ts";
import { addNodeCommands } from "./node.ts";
import { addNumberCommands } from "./number.ts";
import { addPhoneCommand } from "./phone.ts";
import { addQueueCommands } from "./queue.ts";
import { addRateCommands } from "./rate.ts";
import { addReportsCommands } from "./reports.ts";
import { addRuleCommands } from "./rule.ts";
import { addSecretsCommands } from "./secrets.ts";
import { addServerCommands } from "./server.ts";
import { addSipCommands } from "./sip.ts";
import { addSmsCommands } from "./sms.ts";
import { addSsoCommands } from "./sso.ts";
import { addStaffCommands } from "./staff.ts";
import { addStopCommands } from "./stop.ts";
import { addTrunkCommands } from "./trunk.ts";
import { addWebphoneCommands } from "./webphone.ts";

const nouns = [
  addServerCommands,
  addStopCommands,
  addExchangeCommands,
  addKeyCommands,
  addExtensionCommands,
  addQueueCommands,
  addAgentCommands,
  addContactCommands,
  addGroupCommands,
  addFormCommands,
  addMenuCommands,
  addMailboxCommands,
  addTrunkCommands,
  addNumberCommands,
  addRuleCommands,
  addRateCommands,
  addStaffCommands,
  addSsoCommands,
  addWebphoneCommands,
  addCampaignCommands,
  addSmsCommands,
  addHolidayCommands,
  addArchiveCommands,
  addJobsCommands,
  addNodeCommands,
  addFilesCommands,
  addBackupCommands,
  addSecretsCommands,
  addDemoCommand,
  addCallCommands,
  addReportsCommands,
  addPhoneCommand,
  addSipCommands,
  addDoctorCommand,
];

/** Runs one command to its end; the exit code. */
export async function runCommand(words: string[], clock: Clock): Promise<number> {
  const program = new Command("santral").description("A telephone exchange that a business runs itself");
  program.version(programVersion()).exitOverride();
  // A start, for which calls may wait, makes no other command.
  for (const add of words[0] === "start" ? [addServerCommands] : nouns) add(program, clock);
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
    if (error.message) process.stderr.write(`santral: ${error.message}\n`);
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`santral: ${message || "failed"}\n`);
  return exitCodes.failed;
}
