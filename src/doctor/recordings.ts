// Checks of recordings: that they could be written, and that each belongs to a call.

import { countUnclaimed, unclaimedIn } from "../exchange/recordings/leftovers.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import type { RecordingsView } from "../server/recordings-watch.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";

export const recordings: Check = {
  name: "recordings",
  async run({ config }) {
    const { control, recordings } = placesIn(config.dataFolder);
    // The answer is that of our own server, as it was asked.
    const seen = (await askServer(control, "recordings")) as RecordingsView | undefined;
    return [written(seen), ...(await unclaimed(recordings))];
  },
};

function written(seen: RecordingsView | undefined): Finding {
  if (!seen) return ok("no server runs, so none is being written");
  if (!seen.last) return ok("all were written since the start");
  const { path, step, code, at } = seen.last;
  return warn(
    `${seen.faults} could not be written since the start, the last ${path} (${step}: ${code}) at ${at}`,
    "see whether the disk is full or failing (dmesg, df); the story of the call says what became of it",
  );
}

async function unclaimed(folder: string): Promise<Finding[]> {
  const files = await countUnclaimed(folder);
  if (files === 0) return [];
  const todo = "listen to them, then move or delete them";
  return [warn(`${files} files belong to calls that nobody knows: ${unclaimedIn(folder)}`, todo)];
}
