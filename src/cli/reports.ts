// santral reports: whether what reports say is what the records say.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { checkSums, type WrongDay } from "../store/call-sums.ts";
import { exchangeCommand } from "./command.ts";
import { said } from "./show.ts";

export function addReportsCommands(program: Command, clock: Clock): void {
  const reports = program.command("reports").description("figures about calls");
  exchangeCommand(reports, clock, {
    usage: "check",
    says: "compare the sums that reports are read from with the call records, day by day",
    options: [["--mend", "count days anew whose sums are wrong"]],
    changes: true,
    act: async ({ options }, { db, exchange }) => {
      const mend = options.mend === true;
      const days: WrongDay[] = [];
      for await (const day of checkSums(db, exchange.id, { mend })) days.push(day);
      const lines = days.map(
        ({ day, wrong }) => `${day}: ${wrong} sums ${mend ? "were wrong and are mended" : "are wrong"}`,
      );
      return said(lines.length > 0 ? lines : ["every sum is what the records say"], { days, mended: mend });
    },
  });
}
