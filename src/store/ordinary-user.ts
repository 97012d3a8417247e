// PostgreSQL refuses to run as root, and to run as a user without a name: here it gets somebody to be.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

/** Words to put before a command, and whom the database's files must belong to. */
export type OrdinaryUser = { wrapper: string[]; uid: number };

const NOBODY = 65_534;

const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const nobody = [...asNobody, "--"];
/**
 * Where a closed folder stands in the way, as root's home does: nobody, but no folder is closed to it.
 * The bit keeps that true for access(2), which PostgreSQL asks about its own programs.
 */
const passing = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--securebits=+no_setuid_fixup"];
const nobodyPassing = [...asNobody, ...passing, "--"];

export function ordinaryUserFor(databaseFolder: string, program: string): OrdinaryUser {
  const uid = process.getuid?.() ?? NOBODY;
  if (uid !== 0 && hasName()) return { wrapper: [], uid };
  // In a user namespace it sees an ordinary user while the files stay ours.
  const namespace = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, "--"];
  if (succeeds(...namespace, "true")) return { wrapper: namespace, uid };
  if (uid === 0) {
    if (letIn(dirname(databaseFolder)) && succeeds(...nobody, program, "--version"))
      return { wrapper: nobody, uid: NOBODY };
    if (succeeds(...nobodyPassing, "test", "-x", program)) return { wrapper: nobodyPassing, uid: NOBODY };
  }
  throw new Error(
    "the embedded database needs an ordinary user with a name, or user namespaces: run as one, or set DATABASE_URL",
  );
}

/** Files of an earlier start that ran as somebody else. */
export function giveTo({ uid }: OrdinaryUser, folder: string): void {
  if (existsSync(folder) && statSync(folder).uid !== uid) spawnSync("chown", ["-R", `${uid}:${uid}`, folder]);
}

export function succeeds(...words: string[]): boolean {
  const [command, ...rest] = words;
  return spawnSync(command!, rest).status === 0;
}

// Containers often refuse namespaces to root. Then nobody may pass through the data folder, and look at nothing in it.
function letIn(folder: string): boolean {
  chownSync(folder, 0, NOBODY);
  chmodSync(folder, 0o710);
  return succeeds(...nobody, "test", "-x", folder);
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}
