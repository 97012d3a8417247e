// Checks of sealed secrets: their keys are there and closed to others, everything is sealed, and all of it opens.

import { readRing } from "../secrets/key-file.ts";
import { currentKey } from "../secrets/ring.ts";
import type { SecretKind, SecretPlace } from "../secrets/sealed.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { sumOf, troubleWithKeys } from "../server/open-secrets.ts";
import type { Db } from "../store/db.ts";
import { countSecrets, unreadableSecrets } from "../store/sealing.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const remedies: { [Kind in SecretKind]: string } = {
  "trunks.password": "santral trunk set NAME password=…",
  "staff.totp_secret": "santral staff password EMAIL, which takes the second factor away",
  "mailboxes.pin": "santral mailbox set EXTENSION --pin …",
  "sms_carriers.password": "santral sms carrier delete and create",
  "exchanges.crm_secret": "santral exchange secret --new",
  "extensions.shown_password": "santral extension password NUMBER",
  "archives.secret": "santral archive set secret=…",
  "contact_sources.password": "santral contacts source set NAME password=…",
  "single_sign_on.client_secret": "santral sso set client-secret=…",
  "staff_sessions.log_out_url": "sign in again",
  "push_keys.private_key": "open the console again in each browser, which binds it to a new key",
  "push_subscriptions.sealed": "open the console again in that browser",
};

export async function secretFindings(db: Db, secrets: Secrets, file: string): Promise<Finding[]> {
  const troubles = await troubleWithKeys(db, file);
  const findings = troubles.map(({ says, todo, isGrave }) => (isGrave ? fail(says, todo) : warn(says, todo)));
  const ring = readRing(file);
  if ("missing" in ring) return findings;
  const counts = await countSecrets(db);
  const plain = sumOf(counts.filter(({ keyId }) => keyId === null));
  if (plain > 0) findings.push(warn(`${plain} secrets lie readable in the database`, "start the server once more"));
  const locked = await unreadableSecrets(db, secrets);
  if (locked.length > 0) findings.push(...lockedFindings(locked));
  else if (plain === 0) {
    const { id, madeAt } = currentKey(ring);
    findings.push(ok(`${sumOf(counts)} secrets are sealed and open; key ${id} of ${madeAt.slice(0, 10)} seals`));
  }
  return findings;
}

function lockedFindings(locked: readonly SecretPlace[]): Finding[] {
  return [...new Set(locked.map(({ kind }) => kind))].map((kind) => {
    const places = locked.filter((place) => place.kind === kind);
    const some = places.slice(0, 5).map(({ exchangeId, row }) => `${row} of exchange ${exchangeId}`);
    return fail(
      `${places.length} × ${kind} cannot be opened (${some.join(", ")}${places.length > 5 ? " …" : ""})`,
      `bring the keys back (santral secrets add FILE), or set anew: ${remedies[kind]}`,
    );
  });
}
