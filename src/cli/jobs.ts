// santral jobs: background work that waits, and work that was given up.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { countJobs, deadJobs, discardDeadJobs, retryDeadJobs } from "../jobs/jobs.ts";
import { giveUp } from "../server/give-up.ts";
import { sql } from "../store/sql.ts";
import { sureAbout, YES } from "./ask.ts";
import { databaseCommand } from "./command.ts";
import { said, table } from "./show.ts";

export function addJobsCommands(program: Command, clock: Clock): void {
  const jobs = program.command("jobs").description("background work: webhooks, conversions, upkeep");
  databaseCommand(jobs, clock, {
    usage: "list",
    says: "how much work waits, by kind",
    act: async (_, { db }) => {
      const rows = await db.query<{ kind: string; waiting: number; dead: number; oldest: Date | null }>(
        sql`select kind, count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead,
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
    act: async ({ words: [word = ""] }, { db }) => {
      const which = meant(word);
      const retried = await retryDeadJobs(db, which);
      if (retried === 0 && which !== "all") giveUp(`there is no given-up job ${word}`);
      return said(`${retried} will be tried again`, { retried });
    },
  });
  databaseCommand(jobs, clock, {
    usage: "discard <which>",
    says: "drop given-up work for good: an id, or all",
    options: [YES],
    changes: true,
    act: async (given, { db }) => {
      const [word = ""] = given.words;
      const which = meant(word);
      await sureAbout(which === "all" ? "Drop all given-up work?" : `Drop job ${word}?`, given);
      const discarded = await discardDeadJobs(db, which);
      if (discarded === 0 && which !== "all") giveUp(`there is no given-up job ${word}`);
      return said(`${discarded} dropped`, { discarded });
    },
  });
}

function meant(word: string): { id: number } | "all" {
  if (word !== "all" && !/^\d{1,15}$/.test(word)) giveUp(`"${word}" is neither an id nor "all"`, "usage");
  return word === "all" ? "all" : { id: Number(word) };
}
