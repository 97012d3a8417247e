// Setting the archive of an exchange: what fits together, when a place is another one, and what may be taken away.

import type { Archive, Trouble } from "../../archive/archive.ts";
import { readGoogleKey } from "../../archive/google-key.ts";
import { archive as archiveNoun } from "../../nouns/archive.ts";
import { type Changes, valueUnlessSet } from "../../nouns/field.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import {
  type ArchiveRow,
  type ArchiveSettings,
  changeArchive,
  countInArchive,
  createArchive,
  listArchives,
  openArchiveSecret,
} from "../../store/archives.ts";
import type { Db } from "../../store/db.ts";
import { checkUrl } from "../../webhooks/guard.ts";
import type { Archives } from "./archives.ts";

export type ArchiveChanges = Changes<typeof archiveNoun>;
export type ArchiveRefusal = { refused: "blank" | "malformed"; field: string } | { refused: "secret-unreadable" };

type Where = { db: Db; secrets: Secrets; exchangeId: number };
type Wanted = { settings: ArchiveSettings; secret: string; before: ArchiveRow | undefined };

/** Kept, and in use from now on. A place that holds recordings stays as it is, and the new one stands beside it. */
export function setArchive(where: Where, changes: ArchiveChanges): Promise<{ id: number } | ArchiveRefusal> {
  const { secrets, exchangeId } = where;
  return where.db.transaction(async (db) => {
    const wanted = await wantedBy({ ...where, db }, changes);
    if ("refused" in wanted) return wanted;
    const { settings, secret, before } = wanted;
    const moves = before && isElsewhere(before, settings) && (await countInArchive(db, exchangeId, before.id)) > 0;
    if (!before || moves) return { id: await createArchive(db, secrets, { exchangeId, settings, secret }) };
    await changeArchive(db, secrets, { id: before.id, changes: { ...settings, secret }, exchangeId });
    return { id: before.id };
  });
}

/** What such settings would lead to, for a trial before they are kept. */
export async function archiveWith(
  where: Where,
  archives: Archives,
  changes: ArchiveChanges,
): Promise<Archive | Trouble | ArchiveRefusal> {
  const wanted = await wantedBy(where, changes);
  return "refused" in wanted ? wanted : archives.from(wanted.settings, wanted.secret);
}

async function wantedBy({ db, secrets, exchangeId }: Where, changes: ArchiveChanges): Promise<Wanted | ArchiveRefusal> {
  const [before] = await listArchives(db, exchangeId); // the one in use, or else the last
  const settings = tidy({ ...(before ? settingsOf(before) : unset()), ...given(changes) });
  const refused = misfit(settings);
  if (refused) return refused;
  const secret = secretFor({ secrets, before, settings, typed: changes.secret });
  if (typeof secret !== "string") return secret;
  if (settings.kind === "google-drive" && !readGoogleKey(secret)) return { refused: "malformed", field: "secret" };
  return { settings, secret, before };
}

type Asking = {
  secrets: Secrets;
  before: ArchiveRow | undefined;
  settings: ArchiveSettings;
  typed: string | null | undefined;
};

/** A secret goes only to whom it was typed in for: another host has to be given it anew. */
function secretFor({ secrets, before, settings, typed }: Asking): string | ArchiveRefusal {
  if (typed) return typed;
  if (!before || before.kind !== settings.kind || hostOf(before) !== hostOf(settings))
    return { refused: "blank", field: "secret" };
  const stored = openArchiveSecret(secrets, before);
  if (stored === null) return { refused: "blank", field: "secret" };
  return typeof stored === "string" ? stored : { refused: "secret-unreadable" };
}

const names = Object.keys(archiveNoun.fields).filter((name) => name !== "secret") as (keyof ArchiveSettings)[];

const settingsOf = (row: ArchiveRow) => Object.fromEntries(names.map((name) => [name, row[name]])) as ArchiveSettings; // each
const unset = () =>
  Object.fromEntries(names.map((name) => [name, valueUnlessSet(archiveNoun.fields[name])])) as ArchiveSettings; // each

function given({ secret: _secret, ...changes }: ArchiveChanges): Partial<ArchiveSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function tidy(settings: ArchiveSettings): ArchiveSettings {
  const url = settings.url?.trim().replace(/(?<!\/)\/+$/, "") ?? "";
  return { ...settings, url: url === "" ? null : url, prefix: settings.prefix.trim().replace(/^\/+|(?<!\/)\/+$/g, "") };
}

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i;
const FOLDER = /^[\w-]{1,200}$/;

/** What each kind cannot do without. */
const needed: Record<ArchiveSettings["kind"], readonly ("url" | "bucket" | "region" | "folder" | "user")[]> = {
  s3: ["bucket", "region", "user"],
  webdav: ["url", "user"],
  "google-drive": ["folder"],
};

function misfit(settings: ArchiveSettings): ArchiveRefusal | undefined {
  const { kind, url, bucket, region, folder, prefix, addressing } = settings;
  const blank = needed[kind].find((field) => !settings[field]);
  if (blank) return { refused: "blank", field: blank };
  const wrong: [field: string, isWrong: boolean][] = [
    ["url", url !== null && !isPlace(url)],
    ["bucket", kind === "s3" && !(BUCKET.test(bucket) && !(addressing === "host" && bucket.includes("_")))],
    ["region", kind === "s3" && !REGION.test(region)],
    ["folder", kind === "google-drive" && !FOLDER.test(folder)],
    ["prefix", !isPath(prefix)],
  ];
  const field = wrong.find(([, isWrong]) => isWrong)?.[0];
  return field === undefined ? undefined : { refused: "malformed", field };
}

/** Whether its host may be called is seen when it is. */
function isPlace(url: string): boolean {
  const checked = checkUrl(url, { privateAllowed: true });
  return "url" in checked && checked.url.search === "" && checked.url.hash === "";
}

function isPath(prefix: string): boolean {
  if (prefix === "") return true;
  return prefix.split("/").every((word) => /^[^\p{Cc}\\?#%]+$/u.test(word) && word !== "." && word !== "..");
}

/** What was put is found again by its name as long as these are the same. */
function isElsewhere(before: ArchiveRow, { kind, url, bucket }: ArchiveSettings): boolean {
  return before.kind !== kind || before.url !== url || (kind === "s3" && before.bucket !== bucket);
}

function hostOf({ url }: Pick<ArchiveSettings, "url">): string {
  return url === null ? "" : new URL(url).origin;
}
