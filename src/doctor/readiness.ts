// Check of the running server: whether it takes work, and what keeps it from it, in the words of /readyz.

import type { Readiness } from "../http/operations.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { type Check, fail, ok } from "./finding.ts";

export const readiness: Check = {
  name: "readiness",
  async run({ config }) {
    const { control } = placesIn(config.dataFolder);
    // The answer is that of our own server, as it was asked.
    const state = (await askServer(control, "ready")) as Readiness | undefined;
    if (!state) return ok("no server runs, so there is nothing to see");
    if (state.ready) return ok("the server takes work");
    return fail(`the server takes no new work: ${state.because}`, "calls that are up go on; see its log and this list");
  },
};
