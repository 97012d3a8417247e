// Check of the walls around programs that open files of strangers.

import type { Probed } from "../programs/program.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { type Check, ok, warn } from "./finding.ts";

export const confinement: Check = {
  name: "files of strangers",
  async run({ config }) {
    // The answer is that of our own server, which may have fewer rights than a command.
    const probed = (await askServer(placesIn(config.dataFolder).control, "confinement")) as Probed | undefined;
    if (!probed) return ok("no server runs, so none is opened");
    if (probed.confinement === "walled") return ok("what opens them sees no other files and has no network");
    return warn(
      `what opens them is held by limits of memory, time and size alone: ${probed.why || "no namespaces here"}`,
      "let the server make user namespaces (docs/operations.md), with unshare and setpriv of util-linux",
    );
  },
};
