// Programs run as a server of this machine runs them: behind walls where its kernel gives namespaces.

import { spawnSync } from "node:child_process";
import { runnerIn } from "../../src/programs/program.ts";

export const canWall = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "--net", "true"]).status === 0;

export const runAsServer = runnerIn(canWall ? "walled" : "limited");
