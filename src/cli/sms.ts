// santral sms: send a message, watch what becomes of it, and set up what it takes.

import type { Command } from "commander";
import { type Clock, pause, within } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { readPhoneList } from "../sms/phone.ts";
import { reportOf } from "../sms/report.ts";
import { send } from "../sms/send.ts";
import type { Db } from "../store/db.ts";
import { isFinal } from "../store/sms-state.ts";
import { listStatuses, type MessageStatus, recentCampaigns } from "../store/sms-status.ts";
import { exchangeCommand } from "./command.ts";
import { type Shown, said, table } from "./show.ts";
import {
  accountNamed,
  addAccountCommands,
  addCarrierCommands,
  addPlanCommands,
  addReadyTextCommands,
  addTitleCommands,
} from "./sms-setup.ts";

const LOOK_EVERY_MS = 500;
const MOST_WATCHED = 1_000;

export function addSmsCommands(program: Command, clock: Clock): void {
  const sms = program.command("sms").description("messages: send and watch, accounts, titles, carriers");
  addSendCommands(sms, clock);
  addAccountCommands(sms, clock);
  addTitleCommands(sms, clock);
  addReadyTextCommands(sms, clock);
  addCarrierCommands(sms, clock);
  addPlanCommands(sms, clock);
}

function addSendCommands(sms: Command, clock: Clock): void {
  exchangeCommand(sms, clock, {
    usage: "send <numbers> <text>",
    says: "send a text to one number or several, comma-separated, and watch it until its end",
    options: [
      ["--title <name>", "sender title; the first one by default"],
      ["--account <username>", "which account pays; the first one by default"],
      ["--at <time>", "when, such as 2026-10-29 09:00:00"],
      ["--no-watch", "do not wait for its end"],
    ],
    act: async ({ words: [numbers = "", text = ""], options }, { db, exchange }) => {
      const account = await accountNamed(db, exchange.id, optionText(options.account));
      const list = readPhoneList([numbers]);
      if ("invalid" in list) giveUp(`"${list.invalid}" is not a telephone number`, "usage");
      const messages = [{ dests: numbers.split(","), ids: [], text }];
      const wanted = { source: optionText(options.title), sendAt: optionText(options.at) };
      const sent = await send(db, clock, account, { messages, ...wanted });
      if ("refused" in sent) return giveUp(`refused: ${sent.refused}`);
      if (options.watch === false || wanted.sendAt) return said(`campaign ${sent.campaignId}`, sent);
      return watchCampaign(db, clock, { id: sent.campaignId, zone: account.timeZone, patienceMs: 60_000 });
    },
  });
  exchangeCommand(sms, clock, {
    usage: "watch [campaign]",
    says: "what becomes of a campaign's messages, until their end; without one, the newest campaigns",
    act: async ({ words: [campaign] }, { db, exchange }) => {
      if (campaign === undefined)
        return table(await recentCampaigns(db, exchange.id, 20), [
          "id",
          "sendAt",
          "title",
          "state",
          "counts",
          "lacksOptOut",
        ]);
      const known = await recentCampaigns(db, exchange.id, MOST_WATCHED);
      const id = known.find(({ id }) => String(id) === campaign)?.id ?? giveUp(`there is no campaign ${campaign}`);
      return watchCampaign(db, clock, { id, zone: exchange.timeZone, patienceMs: 24 * 3_600_000 });
    },
  });
}

type Watching = { id: number; zone: string; patienceMs: number };

/** Says each change on standard error as it happens; what is shown at the end is the whole. */
async function watchCampaign(db: Db, clock: Clock, { id, zone, patienceMs }: Watching): Promise<Shown> {
  const seen = new Map<number, string>();
  const lastLook = within(clock, patienceMs);
  for (;;) {
    const messages = await listStatuses(db, { campaignId: id, dests: [], greaterThan: 0, limit: MOST_WATCHED });
    for (const message of messages) tellChange(message, seen);
    if (messages.every(({ state }) => isFinal(state)) || clock.ticks() > lastLook)
      return table(
        messages.map((message) => ({
          ...reportOf(message, zone),
          doubtful: message.unanswered > 0,
          lacksOptOut: message.lacksOptOut,
        })),
        ["message_id", "dest", "size", "credits", "status", "gsm_error", "done_at", "doubtful", "lacksOptOut"],
      );
    await pause(clock, LOOK_EVERY_MS);
  }
}

function tellChange({ messageId, dest, state }: MessageStatus, seen: Map<number, string>): void {
  if (seen.get(messageId) === state) return;
  seen.set(messageId, state);
  process.stderr.write(`${dest}  ${state}\n`);
}

function optionText(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
