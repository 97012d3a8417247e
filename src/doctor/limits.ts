// Check of the running server: whom its limits have refused, and which accounts are locked for wrong passwords.

import { guessPools } from "../http/door/rate-limit.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import type { LimitView } from "../server/limit-metrics.ts";
import type { Locked } from "../store/locked.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";

/** So many wrong keys or passwords are no mistyped one. */
const MANY = 100;

export const limits: Check = {
  name: "limits",
  async run({ config }) {
    const { control } = placesIn(config.dataFolder);
    // The answer is that of our own server, as it was asked.
    const told = (await askServer(control, "limits")) as LimitView | undefined;
    if (!told) return ok("no server runs, so there is nothing to see");
    return [refusedBy(told.refused), ...(told.locked ? [lockedFor(told.locked)] : [])];
  },
};

function refusedBy(refused: LimitView["refused"]): Finding {
  const most = Object.entries(refused).sort(([, one], [, other]) => other - one);
  if (most.length === 0) return ok("no limit of HTTP has refused anybody since the start");
  const told = most.map(([limit, times]) => `${limit} ${times}`).join(", ");
  const guesses = guessPools.reduce((sum, pool) => sum + (refused[pool] ?? 0), 0);
  if (guesses < MANY) return ok(`limits of HTTP have refused since the start: ${told}`);
  return warn(
    `limits of HTTP have refused ${guesses} tries to get in since the start: ${told}`,
    "somebody guesses, or a program has an old key: the log and the audit trail say from where",
  );
}

function lockedFor({ staff, mailboxes }: Locked): Finding {
  if (staff + mailboxes === 0) return ok("no account or mailbox is locked");
  return warn(
    `${staff} accounts and ${mailboxes} mailboxes are locked for wrong passwords and PINs`,
    "they open by themselves; if their owners have not mistyped, somebody guesses: see the audit trail",
  );
}
