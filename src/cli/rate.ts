// santral rate: what a minute to the outside costs, and what was spent this month.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { monthOf } from "../exchange/spending/spending.ts";
import { giveUp } from "../server/give-up.ts";
import { describeExchange } from "../store/exchanges.ts";
import { deleteCallRate, listCallRates, setCallRate, spentIn } from "../store/spending.ts";
import { nounOf } from "../words/audit/changed.ts";
import { exchangeCommand } from "./command.ts";
import { card, said, table } from "./show.ts";

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
    says: "what calls to the outside have cost this month, and the limit",
    act: async (_, { db, exchange }) => {
      const { time_zone: zone, monthly_spending_limit: limit } = (await describeExchange(db, exchange.id)) ?? {};
      const month = monthOf(clock.wall(), String(zone));
      return card({ month: month.slice(0, 7), spent: await spentIn(db, exchange.id, month), limit: limit ?? null });
    },
  });
}

function prefixOf(given: string): string {
  const prefix = given === ALL ? "" : given;
  return /^[0-9]{0,15}$/.test(prefix) ? prefix : giveUp(`a prefix is digits or "${ALL}", not "${given}"`, "usage");
}
