// santral secrets: the keys that secrets in the database are sealed with.

import { resolve } from "node:path";
import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { createDurably } from "../durable-file.ts";
import { changeRing, readRing } from "../secrets/key-file.ts";
import { joinRings, keyOf, printRing, type Ring } from "../secrets/ring.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { giveUp } from "../server/give-up.ts";
import { keyFileOf, sumOf, troubleWithKeys } from "../server/open-secrets.ts";
import type { Db } from "../store/db.ts";
import { countSecrets, tellKeysCame, unreadableSecrets } from "../store/sealing.ts";
import { databaseCommand } from "./command.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { type Shown, said, table } from "./show.ts";

export function addSecretsCommands(program: Command, clock: Clock): void {
  const noun = program.command("secrets").description("secrets in the database, and the keys they are sealed with");
  databaseCommand(noun, clock, {
    usage: "status",
    says: "how many are sealed, under which key, and whether all of them open",
    act: (_, { db, secrets, config }) => statusOf(db, secrets, keyFileOf(config)),
  });
  databaseCommand(noun, clock, {
    usage: "rotate",
    says: "make a new key and seal everything under it; the server may go on working meanwhile",
    options: [["--lost", "the file of keys is gone for good: begin a new one; what it sealed has to be set anew"]],
    changes: true,
    act: async ({ options }, { db, config, clock }) => {
      const file = keyFileOf(config);
      const done = await rotateKeys({ db, file, clock, lost: options.lost === true });
      if ("refused" in done)
        return giveUp(
          done.refused === "busy"
            ? "the keys are in use by a backup or another rotation: try again when it is done"
            : `${done.why}: bring it back first, or say --lost if it is gone for good`,
        );
      const { keyId, resealed, removed, kept } = done;
      const gone = removed.length > 0 ? `; ${removed.join(", ")} left the ring` : "";
      const left = kept.length > 0 ? [`${kept.join(", ")} stays for secrets that do not open: see santral doctor`] : [];
      return said([`${resealed} secrets are sealed under the new key ${keyId}${gone}`, ...left], done);
    },
  });
  databaseCommand(noun, clock, {
    usage: "add <file>",
    says: "bring the keys of another file of keys along, so that what they sealed opens here",
    changes: true,
    act: async ({ words: [given = ""] }, { db, config }) => {
      const other = ringIn(resolve(given));
      const ids = other.keys.map(({ id }) => id);
      await bringKeys(keyFileOf(config), other);
      await tellKeysCame(db);
      return said(`what ${ids.join(", ")} sealed can be opened here, by a running server as well`, { ids });
    },
  });
}

/** A file that an operator has named; not being one ends the command. */
export function ringIn(path: string): Ring {
  const ring = readRing(path);
  return "missing" in ring ? giveUp(ring.why) : ring;
}

/** Our own key goes on sealing; without a file of ours, theirs becomes it. */
async function bringKeys(file: string, other: Ring): Promise<void> {
  if (await createDurably(file, printRing(other))) return;
  await changeRing(
    file,
    (ours) => joinRings(ours, other) ?? giveUp("two different keys have the same name: this is not a file of ours"),
  );
}

async function statusOf(db: Db, secrets: Secrets, file: string): Promise<Shown> {
  const ring = readRing(file);
  const counts = await countSecrets(db);
  const rows = counts.map(({ kind, keyId, secrets }) => {
    const key = "missing" in ring || keyId === null ? undefined : keyOf(ring, keyId);
    const state = keyId === null ? "not sealed" : key ? "" : "key missing";
    return { kind, secrets, key: keyId, made: key?.madeAt ?? null, state };
  });
  const troubles = await troubleWithKeys(db, file);
  const locked = (await unreadableSecrets(db, secrets)).length;
  const current = "missing" in ring ? null : ring.current;
  const sealed = sumOf(counts.filter(({ keyId }) => keyId !== null));
  const lines = [
    `keys in ${file}, ${current === null ? "none" : `current ${current}`}`,
    ...table(rows, ["kind", "secrets", "key", "made", "state"]).lines,
    `${sealed} sealed, ${sumOf(counts) - sealed} not, ${locked} of them cannot be opened`,
    ...troubles.flatMap(({ says, todo }) => [says, `  to do: ${todo}`]),
  ];
  const failed = locked > 0 || troubles.some(({ isGrave }) => isGrave);
  return { value: { file, current, sealed, locked, secrets: rows, troubles }, lines, failed };
}
