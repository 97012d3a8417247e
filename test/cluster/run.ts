// What bin/cluster.mjs starts: the cluster that stands, or its drills. Given what was asked for as JSON. Whatever happens to
// it, nothing that it started is left when it is gone.

import { randomUUID } from "node:crypto";
import { pause, realClock } from "../../src/clock.ts";
import { type DrillsAsked, drill } from "./drill.ts";
import { endLeftBehind } from "./left-behind.ts";
import { stand } from "./stand.ts";
import { over } from "./without-vitest.ts";

/** What does not end well within this time is ended the hard way. */
const ENDS_WITHIN_MS = 30_000;
const MARK = ["CLUSTER_RUN", randomUUID()] as const;

const asked = JSON.parse(process.argv[2] ?? '{"act":"stand"}') as { act: "stand" } | ({ act: "drill" } & DrillsAsked);
const say = (line: string) => console.log(line);
let isEnding = false;

// Before anything is started: whatever is bears the mark.
process.env[MARK[0]] = MARK[1];

// What stands is ended by nothing else; a drill that is ended so was not done.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void end(asked.act === "stand" ? 0 : 1, signal));
for (const fault of ["uncaughtException", "unhandledRejection"] as const)
  process.on(fault, (error: unknown) => void end(1, `${fault}: ${error instanceof Error ? error.stack : error}`));

try {
  if (asked.act === "stand") await stand({ say, isOver: () => isEnding });
  else await end((await drill(asked, say)) ? 0 : 1);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  if (/EADDRINUSE|address already in use/i.test(why))
    say("A port was taken by somebody else meanwhile: start it again.");
  await end(1, why);
}

/** In order, each by who started it; then whatever is left, by pid. What is still under way here may have started more meanwhile. */
async function end(code: number, why?: string): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (why !== undefined) say(`\n${why}\nEnding everything that was started …`);
  await Promise.race([over(), pause(realClock, ENDS_WITHIN_MS)]);
  const left = endLeftBehind({ pid: process.pid, mark: MARK.join("=") });
  if (left > 0) say(`${left} processes were still there, and were killed.`);
  process.exit(code);
}
