// santral sip: watch SIP messages as they pass, and see afterwards what a call's messages were.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import type { Boxed } from "../exchange/signalling/abuse/abuse.ts";
import type { Told } from "../exchange/signalling/trace/control.ts";
import { drawLadder } from "../exchange/signalling/trace/ladder.ts";
import { askServer, listenTo } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { type TracedMessage, timeZoneOfTrace, tracesOf } from "../store/sip-traces.ts";
import { databaseCommand, plainCommand } from "./command.ts";
import { type Shown, said, table } from "./show.ts";

export function addSipCommands(program: Command, clock: Clock): void {
  const sip = program.command("sip").description("SIP: watch messages, look at a call's ladder, see who is kept out");
  plainCommand(sip, clock, {
    usage: "trace",
    says: "print SIP messages as they pass, secrets masked, until Ctrl-C",
    options: [
      ["--call <id>", "only this call, by its own id or by a SIP Call-ID"],
      ["--extension <number>", "only messages that name this extension"],
    ],
    act: async ({ options: { call, extension, json } }, { config }) => {
      const filter = { ...textOf("call", call), ...textOf("extension", extension) };
      await follow(placesIn(config.dataFolder).control, filter, json === true);
      return undefined;
    },
  });
  databaseCommand(sip, clock, {
    usage: "ladder <call>",
    says: "draw the SIP messages of a call of the last day, by its own id or by a SIP Call-ID",
    options: [["--full", "print every message whole"]],
    act: async ({ words: [call = ""], options }, { db }) => {
      const messages = await tracesOf(db, call);
      if (messages.length === 0) return giveUp(`there are no SIP messages of a call ${call}`);
      const full = options.full === true ? messages.flatMap((message) => ["", ...printed(message)]) : [];
      return { value: messages, lines: [drawLadder(messages, await timeZoneOfTrace(db, call)), ...full] };
    },
  });
  plainCommand(sip, clock, {
    usage: "ignored",
    says: "addresses that are ignored now, and why",
    act: async (_, { config }) => ignored(await askServer(placesIn(config.dataFolder).control, "ignored")),
  });
}

async function follow(path: string, filter: object, asJson: boolean): Promise<void> {
  const listening = listenTo(path, { watch: filter });
  for (let next = await listening.next(); ; next = await listening.next()) {
    if (next.done) {
      if (next.value === "nobody") giveUp("no server runs on this data folder");
      return;
    }
    const lines = asJson ? [JSON.stringify(next.value)] : linesFor(next.value);
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

function linesFor(told: Told): string[] {
  if ("message" in told) return [...printed(told.message), ""];
  if ("skipped" in told) return [`(${told.skipped} messages passed too quickly to be shown)`];
  return "refused" in told ? giveUp(told.refused) : [];
}

function printed({ atMs, direction, peer, text }: TracedMessage): string[] {
  const arrow = direction === "in" ? "from" : "to";
  return [`--- ${new Date(atMs).toISOString()} ${arrow} ${peer}`, ...text.trimEnd().split(/\r?\n/).map(printable)];
}

/** A message is somebody else's text: what would move the cursor of a terminal is shown, not done. */
function printable(line: string): string {
  return line.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

function ignored(answer: unknown): Shown {
  if (answer === undefined) return giveUp("no server runs on this data folder");
  const rows = (answer as { boxed: Boxed[] }).boxed; // our own server's answer
  if (rows.length === 0) return said("nobody is ignored", rows);
  return table(
    rows.map(({ untilMs, ...row }) => ({ ...row, until: new Date(untilMs) })),
    ["address", "offence", "strikes", "until"],
  );
}

function textOf(name: string, value: unknown): Record<string, string> {
  return typeof value === "string" ? { [name]: value } : {};
}
