// Checks of whom we run as: PostgreSQL refuses root, and has to be given somebody else to be.

import { spawnSync } from "node:child_process";
import { type Check, ok, warn } from "./finding.ts";

export const user: Check = {
  name: "user",
  async run({ config }) {
    const uid = process.getuid?.();
    if (uid !== 0) return ok(`user ${uid}`);
    const namespaces = spawnSync("unshare", ["--user", "--map-user=65534", "--map-group=65534", "--", "true"]);
    if (!config.databaseUrl && namespaces.status !== 0)
      return warn(
        "root without user namespaces: the embedded database runs as nobody, if it can reach its files",
        "run Santral as an ordinary user, or set DATABASE_URL",
      );
    return warn("root", "an ordinary user is enough, and safer");
  },
};
