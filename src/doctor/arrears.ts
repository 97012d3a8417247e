// Check of what waits on disk for the database: it should be nothing, and what nobody can write is for people to look at.

import { lookAtArrears } from "../arrears/arrears.ts";
import { placesIn } from "../server/data-folder.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";

export const arrears: Check = {
  name: "arrears",
  async run({ config, clock }) {
    const folder = placesIn(config.dataFolder).arrears;
    const { entries, bytes, oldestMs, damaged, toLookAt } = await lookAtArrears(folder);
    const findings: Finding[] = [];
    if (entries > 0) {
      const minutes = Math.round((clock.wall() - (oldestMs ?? clock.wall())) / 60_000);
      const much = `${entries} entries wait on disk for the database (${bytes} bytes, the oldest for ${minutes} minutes)`;
      findings.push(warn(much, `they are written when it is back, or at the next start; do not remove ${folder}`));
    }
    if (damaged > 0) findings.push(warn(`${damaged} of them are damaged`, "see whether the disk is failing (dmesg)"));
    for (const path of toLookAt)
      findings.push(warn(`the database could not be given what is in ${path}`, "look into it, then move or delete it"));
    return findings.length > 0 ? findings : ok("nothing waits for the database");
  },
};
