// santral files: the bucket in which the server keeps its files; tried out, looked at, filled and emptied.

import type { Command } from "commander";
import { isTrouble, type Trouble } from "../archive/archive.ts";
import { probe } from "../archive/probe.ts";
import { type Clock, momentOf, pause, since } from "../clock.ts";
import { silentLog } from "../log.ts";
import { type BucketObjects, openBucketObjects } from "../objects/bucket-objects.ts";
import { lookAtOwed } from "../objects/owed.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn, prepareDataFolder, tryLock } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { bucketOf, type FilesAnswer, filesAnswers, isInTheOpen, placeBefore } from "../server/open-files.ts";
import { archiveTroubleInWords, probeInWords } from "../words/archive-troubles.ts";
import { plainCommand, type Tools } from "./command.ts";
import { openProgress } from "./progress.ts";
import { card, type Shown, said } from "./show.ts";

const BETWEEN_LOOKS_MS = 500;

export function addFilesCommands(program: Command, clock: Clock): void {
  const files = program.command("files").description("recordings and other files: where they are kept");
  plainCommand(files, clock, {
    usage: "show",
    says: "where files are kept, and what the bucket is still owed",
    act: (_, tools) => show(tools),
  });
  plainCommand(files, clock, {
    usage: "test",
    says: "write a small file into the bucket, read it back, list and delete it",
    act: (_, tools) => tryOut(tools),
  });
  plainCommand(files, clock, {
    usage: "upload",
    says: "put everything that lies here into the bucket; what is there already is left out, and the server may run",
    act: (_, tools) => upload(tools),
  });
  plainCommand(files, clock, {
    usage: "fetch",
    says: "bring everything back from the bucket into the data folder, to go on without it; the server may run",
    act: (_, tools) => fetchBack(tools),
  });
}

async function show({ config, clock }: Tools): Promise<Shown> {
  const { control, objects: folder } = placesIn(config.dataFolder);
  const answer = (await askServer(control, "files")) as FilesAnswer | { off: true } | undefined;
  if (answer && !("off" in answer)) {
    const { cache, failures, trouble, bringing: _, ...told } = answer;
    const what = trouble ? archiveTroubleInWords(trouble, "en") : undefined;
    return card({
      ...told,
      copies: cache.files,
      copiesBytes: cache.bytes,
      unconfirmed: cache.unconfirmed,
      trouble: what,
    });
  }
  const { count, oldestMs } = await lookAtOwed(folder);
  const oldestSeconds = oldestMs === undefined ? 0 : Math.round(since(clock, momentOf(clock, oldestMs)) / 1_000);
  const bucket = answer ? undefined : bucketOf(config, clock)?.bucket.place;
  return card({ folder, bucket, bucketBefore: await placeBefore(folder), owed: count, oldestSeconds });
}

async function tryOut({ config, clock }: Tools): Promise<Shown> {
  const opened = bucketOf(config, clock) ?? noBucket();
  try {
    const { bucket } = opened;
    const probed = await probe(bucket);
    if (!probed.ok) return { ...said(`${bucket.place}: ${probeInWords(probed, "en")}`, probed), failed: true };
    const listed = await bucket.list();
    if (isTrouble(listed)) {
      const words = `${bucket.place}: its files could not be listed: ${archiveTroubleInWords(listed, "en")}`;
      return { ...said(words, { ok: false, step: "list", ...listed }), failed: true };
    }
    const warning = isInTheOpen(bucket.place) ? ["files go there unencrypted: use https"] : [];
    return said([`${bucket.place} works: a file was written, read back, listed and deleted`, ...warning], { ok: true });
  } finally {
    opened.close();
  }
}

async function upload(tools: Tools): Promise<Shown> {
  return withFiles(tools, async (ask) => {
    const begun = (await ask("filesUpload")) as { owed: number } | Trouble;
    if (isTrouble(begun)) return failed("nothing was begun", begun);
    const first = await viewOf(ask);
    const progress = openProgress("files", first.owed, tools.clock);
    for (let view = first; view.owed > 0; view = await viewOf(ask)) {
      if (view.trouble)
        return failed(`${view.owed} files are still owed, and go on being tried by the server`, view.trouble);
      progress.at(Math.max(0, first.owed - view.owed));
      await pause(tools.clock, BETWEEN_LOOKS_MS);
    }
    progress.end();
    return said(`everything is in the bucket; ${begun.owed} files were not before`, { uploaded: begun.owed });
  });
}

async function fetchBack(tools: Tools): Promise<Shown> {
  return withFiles(tools, async (ask) => {
    await ask("filesFetch");
    for (;;) {
      const { bringing } = await viewOf(ask);
      if (bringing?.over) {
        if (bringing.trouble)
          return failed(`${bringing.fetched} files came; begin again for the rest`, bringing.trouble);
        const now = "everything is in the data folder now: take SANTRAL_FILES_URL away and start the server again";
        return said([`${bringing.fetched} files came`, now], { fetched: bringing.fetched });
      }
      await pause(tools.clock, BETWEEN_LOOKS_MS);
    }
  });
}

type Ask = (question: "files" | "filesUpload" | "filesFetch") => unknown;

const viewOf = async (ask: Ask) => (await ask("files")) as FilesAnswer;

/** The running server does it, since it alone knows what is deleted meanwhile; without one, we are it for so long. */
async function withFiles(tools: Tools, work: (ask: Ask) => Promise<Shown>): Promise<Shown> {
  const { config, clock } = tools;
  const folder = placesIn(config.dataFolder);
  const answer = (await askServer(folder.control, "files")) as FilesAnswer | { off: true } | undefined;
  if (answer && "off" in answer)
    return giveUp("the server that runs keeps its files in its folder: start it again with SANTRAL_FILES_URL");
  if (answer)
    return work(async (question) => (await askServer(folder.control, question)) ?? giveUp("the server is gone"));
  const opened = bucketOf(config, clock) ?? noBucket();
  await prepareDataFolder(folder.path);
  const lock = (await tryLock(folder.path, "command")) ?? giveUp(`${folder.path} is in use`, "inUse");
  let inBucket: BucketObjects | undefined;
  try {
    const needs = { folder: folder.objects, bucket: opened.bucket, cacheBytes: config.filesCacheBytes };
    inBucket = await openBucketObjects({ ...needs, clock, log: silentLog });
    const answers = filesAnswers({ inBucket });
    return await work((question) => (answers as Record<string, () => unknown>)[question]?.());
  } finally {
    await inBucket?.close();
    opened.close();
    await lock.close();
  }
}

function failed(words: string, trouble: Trouble): Shown {
  return { ...said(`${words}: ${archiveTroubleInWords(trouble, "en")}`, { ...trouble }), failed: true };
}

function noBucket(): never {
  return giveUp("files are kept in the data folder: SANTRAL_FILES_URL is not set");
}
