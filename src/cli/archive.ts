// santral archive: where recordings are put outside.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { isTrouble } from "../archive/archive.ts";
import { openHttpClient } from "../archive/http-client.ts";
import { type Probed, probe } from "../archive/probe.ts";
import type { Clock } from "../clock.ts";
import { type Archives, openArchives } from "../exchange/archiving/archives.ts";
import { placeOf } from "../exchange/archiving/notes.ts";
import { type ArchiveRefusal, archiveWith, setArchive } from "../exchange/archiving/settings.ts";
import { archive as archiveNoun } from "../nouns/archive.ts";
import { giveUp } from "../server/give-up.ts";
import {
  type ArchiveRow,
  countArchived,
  countInArchive,
  deleteArchive,
  listArchives,
  switchArchiveOff,
} from "../store/archives.ts";
import { archiveTroubleInWords, probeInWords } from "../words/archive-troubles.ts";
import { refusalInWords } from "../words/refusals/words.ts";
import { sureAbout, YES } from "./ask.ts";
import { type ExchangeTools, exchangeCommand, type Tools } from "./command.ts";
import { readSettings, settingsHelp } from "./settings.ts";
import { card, type Shown, said } from "./show.ts";
import { orGiveUp } from "./words.ts";

const SECRET_FILE: [string, string] = ["--secret-file <file>", "read the secret from a file, - for standard input"];

export function addArchiveCommands(program: Command, clock: Clock): void {
  const archive = program.command("archive").description("recording archive: a store outside");
  exchangeCommand(archive, clock, {
    usage: "show",
    says: "where recordings are put, how many are there, and what is the matter",
    act: async (_, tools) => show(tools),
  });
  exchangeCommand(archive, clock, {
    usage: "set [settings...]",
    says: "put recordings into a store outside; what is left out stays as it is",
    options: [SECRET_FILE],
    changes: true,
    act: async (given, tools) => {
      const { db, secrets, exchange } = tools;
      const exchangeId = exchange.id;
      const words = await tools.settings(archiveNoun, given.rest, null);
      const fromFile = secretIn(given.options.secretFile);
      const changes = fromFile === undefined ? words : { ...words, secret: fromFile };
      await tools.note(archiveNoun, changes, null);
      const set = orRefused(await setArchive({ db, secrets, exchangeId }, changes));
      const { secret: _secret, ...told } = changes;
      return said(`recordings of exchange ${exchangeId} go to archive ${set.id}; try it: santral archive test`, {
        ...told,
        ...set,
      });
    },
  }).addHelpText("after", settingsHelp(archiveNoun));
  exchangeCommand(archive, clock, {
    usage: "test [settings...]",
    says: "write a small file there, read it back and delete it; with settings, before they are kept",
    options: [SECRET_FILE],
    act: async (given, tools) => {
      const { db, secrets, exchange } = tools;
      const changes = await readSettings(archiveNoun, given.rest, { db, exchangeId: exchange.id });
      const secret = secretIn(given.options.secretFile) ?? changes.secret;
      return withArchives(tools, async (archives) => {
        const where = { db, secrets, exchangeId: exchange.id };
        const store = orRefused(await archiveWith(where, archives, { ...changes, secret }));
        return told(isTrouble(store) ? { ok: false, step: "write", ...store } : await probe(store));
      });
    },
  });
  exchangeCommand(archive, clock, {
    usage: "off",
    says: "put nothing more away; what lies outside is served as before",
    changes: true,
    act: async (_, { db, exchange }) => {
      const wasOn = await switchArchiveOff(db, exchange.id);
      return said(wasOn ? "nothing more is put away" : "it was off already", { off: true });
    },
  });
  exchangeCommand(archive, clock, {
    usage: "delete <id>",
    says: "forget a place where no recording lies any more",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const id = Number(given.words[0]);
      if (!Number.isSafeInteger(id)) giveUp(`there is no archive ${given.words[0]}`);
      await sureAbout(`Forget archive ${id}?`, given);
      orGiveUp(await deleteArchive(db, exchange.id, id));
      return said(`archive ${id} is forgotten`, { id, deleted: true });
    },
  });
}

async function show({ db, exchange }: ExchangeTools): Promise<Shown> {
  const [first, ...earlier] = await listArchives(db, exchange.id);
  if (!first) return said("recordings are put nowhere outside", { on: false });
  const before = earlier.map(async (row) => {
    const held = await countInArchive(db, exchange.id, row.id);
    return `${row.id}: ${placeOf(row)}, ${held} recordings`;
  });
  return card({
    on: first.active,
    ...factsOf(first),
    ...(await countArchived(db, exchange.id)),
    trouble: first.trouble && archiveTroubleInWords(first.trouble, "en"),
    troubleSince: first.troubleSince,
    earlierPlaces: await Promise.all(before),
  });
}

function factsOf({ id, kind, url, region, bucket, prefix, addressing, folder, user, ...row }: ArchiveRow) {
  const { after_days: afterDays, local_days: localDays, sealedSecret } = row;
  const ofKind = {
    s3: { url, region, bucket, prefix, addressing, user },
    webdav: { url, prefix, user },
    "google-drive": { folder },
  };
  return { id, kind, ...ofKind[kind], hasSecret: sealedSecret !== null, afterDays, localDays };
}

function told(probed: Probed): Shown {
  if (probed.ok) return said("it works: a file was written, read back and deleted", probed);
  return { ...said(probeInWords(probed, "en"), probed), failed: true };
}

function secretIn(file: string | boolean | undefined): string | undefined {
  if (typeof file !== "string") return undefined;
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").trim();
  } catch (error) {
    return giveUp(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function orRefused<Made>(made: Made | ArchiveRefusal): Made {
  const isNo = typeof made === "object" && made !== null && "refused" in made;
  return isNo ? giveUp(refusalInWords(made as ArchiveRefusal, "en").replace(/\.$/, "")) : (made as Made); // just seen
}

/** The stores outside, for as long as a command takes. */
export async function withArchives<Result>(
  { config, clock, secrets }: Tools & Pick<ExchangeTools, "secrets">,
  work: (archives: Archives) => Promise<Result>,
): Promise<Result> {
  const client = openHttpClient({ clock, privateAllowed: config.privateWebhooks });
  const archives = openArchives({ client, secrets });
  try {
    return await work(archives);
  } finally {
    archives.close();
  }
}
