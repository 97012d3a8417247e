// santral rate: what a minute to the outside costs, and what was spent this month or in any days, and on what.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { localTime } from "../exchange/plan/hours.ts";
import { monthOf } from "../exchange/spending/spending.ts";
import { SPENT_BY, type SpentBy, spentOn } from "../nouns/spent.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { describeExchange } from "../store/exchanges.ts";
import { spentLines, spentSum } from "../store/paid-legs.ts";
import { deleteCallRate, listCallRates, setCallRate, spentIn } from "../store/spending.ts";
import { type Stretch, stretchOfDays } from "../store/stretch.ts";
import { nounOf } from "../words/audit/changed.ts";
import { exchangeCommand } from "./command.ts";
import { card, type Shown, said, table } from "./show.ts";

/** Prices of the whole world's numbers: the empty prefix, which is easily typed by mistake. */
const ALL = "all";

export function addRateCommands(program: Command, clock: Clock): void {
  const rate = program.command("rate").description("what a minute costs, by the beginning of the number");
  exchangeCommand(rate, clock, {
    usage: "set <prefix> <price>",
    says: "the price of a started minute to numbers that begin so, such as 905, 00 or all; the longest that fits counts",
    changes: true,
    act: async ({ words: [given = "", minutePrice = ""] }, { db, exchange, note }) => {
      if (!/^\d{1,6}(\.\d{1,4})?$/.test(minutePrice)) giveUp(`a price is an amount such as 0.35, not "${minutePrice}"`);
      await note(nounOf("call_rates"), { minutePrice }, prefixOf(given));
      await setCallRate(db, { exchangeId: exchange.id, prefix: prefixOf(given), minutePrice });
      return said(`a minute to ${given} costs ${minutePrice}`, { prefix: prefixOf(given), minutePrice });
    },
  });
  exchangeCommand(rate, clock, {
    usage: "list",
    says: "all prices",
    act: async (_, { db, exchange }) => table(await listCallRates(db, exchange.id), ["prefix", "minutePrice"]),
  });
  exchangeCommand(rate, clock, {
    usage: "delete <prefix>",
    says: "take a price back",
    changes: true,
    act: async ({ words: [given = ""] }, { db, exchange }) => {
      if (!(await deleteCallRate(db, exchange.id, prefixOf(given)))) giveUp(`there is no price for ${given}`);
      return said(`the price for ${given} is gone`, { prefix: prefixOf(given), deleted: true });
    },
  });
  exchangeCommand(rate, clock, {
    usage: "spent",
    says: "what calls to the outside have cost this month, and the limit; or what any days have cost, broken down",
    options: [
      ["--by <what>", `broken down by ${SPENT_BY.join(", ")}`],
      ["--from <day>", "from this day on, such as 2026-03-01; the first of this month unless said otherwise"],
      ["--to <day>", "until the end of this day; today unless said otherwise"],
    ],
    act: async ({ options }, { db, exchange }) => {
      const { time_zone: zone, monthly_spending_limit: limit } = (await describeExchange(db, exchange.id)) ?? {};
      const timeZone = String(zone);
      const month = monthOf(clock.wall(), timeZone);
      if (options.by === undefined && options.from === undefined && options.to === undefined)
        return card({ month: month.slice(0, 7), spent: await spentIn(db, exchange.id, month), limit: limit ?? null });
      const by = SPENT_BY.find((it) => it === options.by) ?? giveUp(`say --by: ${SPENT_BY.join(", ")}`, "usage");
      const days = {
        from: dayOf(options.from) ?? month,
        to: dayOf(options.to) ?? localTime(clock.wall(), timeZone).day,
      };
      return brokenDown(db, by, await stretchOfDays(db, { ...days, timeZone, exchangeId: exchange.id }), days);
    },
  });
}

async function brokenDown(db: Db, by: SpentBy, stretch: Stretch, days: { from: string; to: string }): Promise<Shown> {
  const [lines, sum] = await Promise.all([spentLines(db, stretch, by), spentSum(db, stretch)]);
  const shown = [
    ...lines.map((line) => ({ ...line, [by]: spentOn(by, line.which, "en") })),
    { ...sum, [by]: "all", name: "" },
  ];
  const columns = [by, ...(by === "extension" || by === "campaign" ? ["name"] : []), "calls", "minutes", "amount"];
  return { ...table(shown, columns as never[]), value: { ...days, by, lines, sum } };
}

function dayOf(given: string | boolean | undefined): string | undefined {
  if (given === undefined) return undefined;
  const at = new Date(String(given));
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === given;
  return isDay ? String(given) : giveUp(`a day is written 2026-03-01, not "${given}"`, "usage");
}

function prefixOf(given: string): string {
  const prefix = given === ALL ? "" : given;
  return /^[0-9]{0,15}$/.test(prefix) ? prefix : giveUp(`a prefix is digits or "${ALL}", not "${given}"`, "usage");
}
