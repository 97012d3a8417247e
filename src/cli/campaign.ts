// santral campaign: list, show, watch how far one is, stop and start it, and its report.

import type { Command } from "commander";
import { type Clock, pause } from "../clock.ts";
import { labelOf } from "../exchange/features/campaigns/outcome.ts";
import { CSV_HEAD, csvLine, showCampaign, showLine } from "../http/exchange/campaign-view.ts";
import { giveUp } from "../server/give-up.ts";
import { countCauses, reportPieces } from "../store/campaign-report.ts";
import {
  type CampaignCounts,
  type CountedCampaign,
  findCampaign,
  listCampaigns,
  switchCampaign,
  untilNobodyIsDialled,
} from "../store/campaigns.ts";
import type { Db } from "../store/db.ts";
import { type ExchangeTools, exchangeCommand } from "./command.ts";
import { openProgress } from "./progress.ts";
import { card, type Shown, said, table } from "./show.ts";

const LOOK_EVERY_MS = 500;
const MOST_LISTED = 100;

export function addCampaignCommands(program: Command, clock: Clock): void {
  const campaign = program.command("campaign").description("automatic calls: how far they are, and what came of them");
  exchangeCommand(campaign, clock, {
    usage: "list",
    says: "the newest campaigns",
    act: async (_, { db, exchange }) => {
      const { rows } = await listCampaigns(db, exchange.id, { page: 1, limit: MOST_LISTED });
      const shown = rows.map(({ id, name, callType, isOn, dateBegin, dateEnd, counts }) => ({
        id,
        name,
        callType,
        on: isOn,
        dateBegin,
        dateEnd,
        ...counts,
      }));
      return table(shown, ["id", "name", "callType", "on", "dateBegin", "dateEnd", "numbers", "finished", "answered"]);
    },
  });
  exchangeCommand(campaign, clock, {
    usage: "show <id>",
    says: "every field of a campaign, how far it is, and how its finished numbers ended",
    act: async ({ words: [id] }, tools) => {
      const found = await campaignOf(id, tools);
      const causes = await countCauses(tools.db, found.id);
      const results = Object.fromEntries(causes.map(({ numbers, ...end }) => [labelOf(end), numbers]));
      return card({ ...showCampaign(found, tools.exchange.timeZone), results });
    },
  });
  addSwitch(campaign, clock, { word: "start", on: true });
  addSwitch(campaign, clock, { word: "stop", on: false });
  exchangeCommand(campaign, clock, {
    usage: "watch <id>",
    says: "a live bar until every number is finished or the campaign is stopped",
    act: async ({ words: [id] }, tools) => watch(tools, clock, (await campaignOf(id, tools)).id),
  });
  exchangeCommand(campaign, clock, {
    usage: "report <id>",
    says: "what became of each number: CSV, or JSON with --json",
    act: async ({ words: [id] }, tools) => report(tools.db, await campaignOf(id, tools), tools.exchange.timeZone),
  });
}

function addSwitch(parent: Command, clock: Clock, { word, on }: { word: string; on: boolean }): void {
  exchangeCommand(parent, clock, {
    usage: `${word} <id>`,
    says: on ? "let a campaign dial" : "let a campaign dial nobody else; calls that are up go on",
    changes: true,
    act: async ({ words: [id] }, tools) => {
      const found = await campaignOf(id, tools);
      await switchCampaign(tools.db, { exchangeId: tools.exchange.id, id: found.id, on });
      if (!on) await untilNobodyIsDialled(tools.db, clock, found.id);
      return said(`campaign ${found.id} is switched ${on ? "on" : "off"}`, { id: found.id, on });
    },
  });
}

async function campaignOf(id = "", { db, exchange }: ExchangeTools): Promise<CountedCampaign> {
  const found = /^\d{1,15}$/.test(id) ? await findCampaign(db, exchange.id, Number(id)) : undefined;
  return found ?? giveUp(`there is no campaign ${id}`);
}

async function watch({ db, exchange }: ExchangeTools, clock: Clock, id: number): Promise<Shown> {
  const first = await findCampaign(db, exchange.id, id);
  const bar = openProgress(`campaign ${id}`, first?.counts.numbers ?? 0, clock);
  for (;;) {
    const found = await findCampaign(db, exchange.id, id);
    if (!found) return giveUp(`campaign ${id} was deleted`);
    bar.at(found.counts.finished);
    if (!found.isOn || found.counts.finished >= found.counts.numbers) {
      bar.end();
      return said(summary(found.counts), found.counts);
    }
    await pause(clock, LOOK_EVERY_MS);
  }
}

function summary({ numbers, finished, attempts, answered, queued, abandoned }: CampaignCounts): string[] {
  const share = queued === 0 ? 0 : (abandoned / queued) * 100;
  return [
    `${finished} of ${numbers} numbers finished by ${attempts} calls, ${answered} answered`,
    ...(queued === 0 ? [] : [`${abandoned} of ${queued} found no agent: ${share.toFixed(1)} %`]),
  ];
}

async function report(db: Db, { id }: CountedCampaign, timeZone: string): Promise<Shown> {
  const [values, lines]: [object[], string[]] = [[], [CSV_HEAD.trimEnd()]];
  for await (const piece of reportPieces(db, id))
    for (const line of piece) {
      values.push(showLine(line, timeZone));
      lines.push(csvLine(line, timeZone).trimEnd());
    }
  return { value: values, lines };
}
