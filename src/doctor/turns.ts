// Check of the running server: whether the thread that answers telephones was kept busy for long.

import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import type { TurnView } from "../server/turn-watch.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";

/** A phone asks again after half a second; a few shorter turns are noticed by nobody. */
const SLOW_MS = 500;
const MANY = 60;

export const turns: Check = {
  name: "turns",
  async run({ config }) {
    const { control } = placesIn(config.dataFolder);
    // The answer is that of our own server, as it was asked.
    const seen = (await askServer(control, "turns")) as TurnView | undefined;
    return seen ? judged(seen) : ok("no server runs, so there is nothing to see");
  },
};

function judged({ long, longestMs, at = "" }: TurnView): Finding {
  if (long === 0) return ok("nothing kept the first thread busy for a tenth of a second in the last hour");
  const times = `${long} ${long === 1 ? "turn" : "turns"} of the first thread took more than 100 ms in the last hour`;
  const told = `${times}, the longest ${longestMs} ms, the last at ${at}`;
  if (longestMs < SLOW_MS && long < MANY) return ok(told);
  return warn(
    told,
    "calls wait meanwhile; its log says when, and how much of it was computed: little means that the machine is too busy",
  );
}
