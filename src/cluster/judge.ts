// Ends the lives of other nodes: those that were not renewed in time, and those whose processes are gone.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { endGoneLife, endSilentLives, listUnheld } from "../store/nodes.ts";
import type { Line } from "../store/server-lease.ts";
import { isRefusedAt, type Refusals } from "./refusals.ts";

type Judge = {
  me: string;
  clock: Clock;
  log: Log;
  refusals: Refusals;
  /** Whether we were there all the time, so that silence of others is theirs. A refusal is their machine's own word. */
  minds: { silence: boolean };
};

export async function judgeOthers(line: Line, { me, clock, log, refusals, minds }: Judge): Promise<void> {
  const silent = minds.silence ? await endSilentLives(line) : [];
  if (silent.length > 0) log.warn({ nodes: silent }, "nodes are silent: their exchanges are taken over");
  const unheld = (await listUnheld(line)).filter(({ name }) => name !== me);
  const missed = await Promise.all(unheld.map(async (it) => ({ ...it, isRefused: await isRefusedAt(it.url, clock) })));
  for (const { name, life } of refusals.look(missed))
    if (await endGoneLife(line, life))
      log.warn({ node: name }, "the process of a node is gone: its exchanges are taken over");
}
