// santral jobs: background work that waits, and work that was given up.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../give-up.ts";
import { countJobs, deadJobs, retryDeadJobs } from "../jobs/jobs.ts";
import { databaseCommand } from "./command.ts";
import { said, table } from "./show.ts";

export function addJobsCommands(program: Command, clock: Clock): void {
  const jobs = program.command("jobs").description("background work: webhooks, conversions, upkeep");
  databaseCommand(jobs, clock, {
    usage: "list",
    says: "how much work waits, by kind",
    act: async (_, { db }) => {
      const rows = await db.query<{ kind: string; waiting: number; dead: number; oldest: Date | null }>(
        `select kind, count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead,
           min(created_at) filter (where dead_at is null) as oldest
         from jobs group by kind order by kind`,
      );
      return table(rows, ["kind", "waiting", "dead", "oldest"]);
    },
  });
  databaseCommand(jobs, clock, {
    usage: "dead",
    says: "work that was given up, and why",
    act: async (_, { db }) => {
      const { dead } = await countJobs(db);
      const shown = table(await deadJobs(db), ["id", "kind", "attempts", "deadAt", "lastError"]);
      return dead > 100 ? { ...shown, lines: [...shown.lines, `and ${dead - 100} more`] } : shown;
    },
  });
  databaseCommand(jobs, clock, {
    usage: "retry <which>",
    says: "try given-up work again: an id, or all",
    changes: true,
    act: async ({ words: [which = ""] }, { db }) => {
      if (which !== "all" && !/^\d{1,15}$/.test(which)) giveUp(`"${which}" is neither an id nor "all"`, "usage");
      const retried = await retryDeadJobs(db, which === "all" ? "all" : { id: Number(which) });
      if (retried === 0 && which !== "all") giveUp(`there is no given-up job ${which}`);
      return said(`${retried} will be tried again`, { retried });
    },
  });
}
