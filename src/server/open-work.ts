// What a server owes beyond the moment: background work, and the journal that makes calls survive a crash.

import { openHttpClient } from "../archive/http-client.ts";
import type { Arrears } from "../arrears/arrears.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { nodeNameOf } from "../config-cluster.ts";
import { planContactRuns } from "../contacts/synchronise.ts";
import { type Archives, openArchives } from "../exchange/archiving/archives.ts";
import { archivingHandlers } from "../exchange/archiving/jobs.ts";
import { openPlanning } from "../exchange/archiving/plan.ts";
import type { CallFacts } from "../exchange/calls/call-facts.ts";
import { NOTIFY_JOB } from "../exchange/features/campaigns/notify.ts";
import { recoverMessage } from "../exchange/features/voicemail/recover-message.ts";
import { type OpenJournal, openJournal } from "../exchange/journal/journal.ts";
import { openKeptSeal } from "../exchange/journal/kept-seal.ts";
import { openNotebook, readNotes } from "../exchange/journal/notebook.ts";
import {
  callsLeft,
  catchUp,
  closeLeft,
  filesLeft,
  type LeftCall,
  recoverCalls,
  takeUpNotes,
} from "../exchange/journal/recovery.ts";
import { journalParts } from "../exchange/recordings/journal-parts.ts";
import { adoptLeftovers } from "../exchange/recordings/leftovers.ts";
import { bringParts } from "../exchange/recordings/parts-elsewhere.ts";
import { planRetention } from "../exchange/recordings/retain.ts";
import type { CloseLeft } from "../exchange/resume.ts";
import type { OpenTurns } from "../fair-turns.ts";
import { planImports } from "../imports/run-import.ts";
import { boundJobs } from "../jobs/bounds.ts";
import { freeLeases } from "../jobs/take-up.ts";
import { startWorkers, type Workers } from "../jobs/workers.ts";
import type { Log } from "../log.ts";
import { openMailer } from "../mail/mailer.ts";
import type { Converter } from "../media/convert.ts";
import type { RecordingFault } from "../media/engine.ts";
import type { Objects } from "../objects/objects.ts";
import type { Readers } from "../readers/task.ts";
import { planReportMails } from "../reports/mail-reports.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { PUSH_JOB } from "../sms/push.ts";
import type { Database } from "../store/db.ts";
import { openRequester, type Requester } from "../webhooks/requester.ts";
import { DELIVER_EVENT } from "../webhooks/tell.ts";
import type { DueClock } from "./clock-watch.ts";
import { countOwedDays } from "./count-owed.ts";
import { placesIn } from "./data-folder.ts";
import { sealKeyFor } from "./seal-key.ts";
import { handlersOf, recordingHandlersOf } from "./workers.ts";

export type WorkNeeds = {
  config: Config;
  /** Of this server among all that ever had the database. */
  epoch: number;
  /** Exchanges that live here at the start; undefined: all of them, for ever. */
  own?: readonly number[] | undefined;
  db: Database;
  secrets: Secrets;
  clock: Clock;
  /** By which jobs are due. */
  due: DueClock;
  log: Log;
  objects: Objects;
  converter: Converter;
  readers: Readers;
  openTurns?: OpenTurns;
};

export type JournalNeeds = Pick<WorkNeeds, "db" | "clock" | "log" | "objects"> & {
  config: Pick<Config, "resumeSeconds" | "dataFolder" | "cluster" | "nodeName" | "nodeSecret">;
  arrears: Pick<Arrears, "stream">;
  /** The folder in which calls are recorded while they last. */
  recordings: string;
  onFault(fault: RecordingFault): void;
};

export type Work = { requester: Requester; workers: Workers; archives: Archives; close(): Promise<void> };

/** Recordings that are to be coded are looked for now and then, and taken together: one alone costs as much as many. */
const CODING = { concurrency: 128, perShare: 64, pollMs: 2_000, isWoken: false };

/** Recordings on their way outside have workers of their own: however slow a store is, nobody else waits for it. */
const ARCHIVING = { concurrency: 8, perShare: 2, pollMs: 5_000 };

export async function openWork(needs: WorkNeeds): Promise<Work> {
  const { config, db, clock, log, objects, secrets, epoch } = needs;
  const requester = openRequester({ clock, privateAllowed: config.privateWebhooks });
  const mailer = openMailer({ ...needs, url: config.smtpUrl, from: config.mailFrom });
  const handlers = handlersOf({ ...needs, requester, mailer });
  const freed = await takeUp(needs);
  if (freed > 0) log.info({ jobs: freed }, "an earlier server was in the middle of jobs: they run again");
  const workers = await startWorkers({ db, clock: needs.due, log, handlers, epoch });
  const coding = recordingHandlersOf({ db, log, objects, converter: needs.converter });
  const coders = await startWorkers({ db, clock: needs.due, log, handlers: coding, epoch, ...CODING });
  const client = openHttpClient({ clock, privateAllowed: config.privateWebhooks });
  const archives = openArchives({ client, secrets });
  const archiving = archivingHandlers({ db, clock, log, objects, archives });
  const porters = await startWorkers({ db, clock: needs.due, log, handlers: archiving, epoch, ...ARCHIVING });
  const stopPlanning = await openPlanning({ db, clock, log });
  const stopContactRuns = await planContactRuns({ db, clock, log });
  const stopImports = await planImports({ db, clock, log, objects });
  const stopReports = await planReportMails({ db, clock, log });
  const stopCounting = countOwedDays({ db, clock, log });
  const stopBounding = boundJobs({ db, clock, log, kinds: [DELIVER_EVENT, PUSH_JOB, NOTIFY_JOB] });
  return {
    requester,
    workers,
    archives,
    async close() {
      await Promise.all([
        stopPlanning(),
        stopContactRuns(),
        stopImports(),
        stopReports(),
        stopCounting(),
        stopBounding(),
      ]);
      await Promise.all([workers.stop(), porters.stop(), coders.stop()]);
      requester.close();
      archives.close();
    },
  };
}

/** What an earlier process was in the middle of is due now. How many. */
async function takeUp({ db, clock, epoch, own }: WorkNeeds): Promise<number> {
  if (!own) await planRetention(db, clock.wall());
  if (!own) return freeLeases(db, epoch);
  let freed = 0;
  for (const exchangeId of own) {
    freed += await freeLeases(db.forExchange(exchangeId), epoch);
    await planRetention(db.forExchange(exchangeId), clock.wall(), exchangeId);
  }
  return freed;
}

export type CallJournal = OpenJournal & {
  /** Calls of an earlier process with somebody on the line: they are gone on with, or he is hung up. */
  left: LeftCall[];
  giveUp: CloseLeft;
  /** Of an exchange that lives here from now on: those whom its last owner had on the line. The others get their records. */
  taken(exchangeId: number): Promise<LeftCall[]>;
};

/** Before the first new call: what ended while the database was away has its record, and what a crash cut off, or it goes on. */
export async function openCallJournal(needs: JournalNeeds): Promise<CallJournal> {
  const { config, db, clock, log, objects, recordings: folder, onFault } = needs;
  const arrears = await needs.arrears.stream("calls");
  const onRecovered = async (facts: CallFacts) => {
    const isKept = await recoverMessage({ db, objects, folder }, facts).catch((error: unknown) => {
      log.error({ call: facts.uuid, error: String(error) }, "a message that a crash cut off could not be kept");
    });
    if (isKept) log.warn({ call: facts.uuid }, "a message that a crash cut off is in its mailbox");
  };
  const seal = openKeptSeal(await sealKeyFor(config));
  const around = { node: nodeNameOf(config), recordings: folder, onFault, onRecovered };
  const parts = journalParts({ seal, db, clock, log, objects, arrears, ...around });
  await catchUp(parts);
  const { notes } = placesIn(config.dataFolder);
  await takeUpNotes(parts, await readNotes(notes));
  const notebook = await openNotebook({ folder: notes, clock, log });
  const left = await callsLeft(parts, config.resumeSeconds * 1_000);
  const isAnyoneThere = ({ kept }: LeftCall) => kept !== undefined;
  await recoverCalls(
    parts,
    left.filter((call) => !isAnyoneThere(call)),
  );
  await adoptLeftovers({ db, log, objects, folder });
  const journal = openJournal({ ...parts, notebook });
  const giveUp: CloseLeft = async (call) => closeLeft({ ...parts, withFiles: await filesLeft(parts) }, journal, call);
  const taken = async (exchangeId: number) => {
    const theirs = await callsLeft(parts, config.resumeSeconds * 1_000, exchangeId);
    const there = await Promise.all(
      theirs.map(async (call) => ({ ...call, facts: await bringParts(folder, call, call.cutOffMs) })),
    );
    for (const call of there.filter((it) => !isAnyoneThere(it))) await giveUp(call);
    return there.filter(isAnyoneThere);
  };
  const close = async () => {
    await journal.close();
    await notebook.close();
  };
  return { ...journal, close, left: left.filter(isAnyoneThere), giveUp, taken };
}
