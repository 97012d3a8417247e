// What must not be forgotten about calls, written as it happens: live facts, events owed, and at the end the CDR.

import type { Stream } from "../../arrears/arrears.ts";
import { type GroupCommit, openGroupCommit } from "../../arrears/group-commit.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { oweForms } from "../../store/call-forms.ts";
import type { Database, Db } from "../../store/db.ts";
import { eachWithin } from "../../store/limit.ts";
import {
  type ClosedCall,
  closeCalls,
  forgetResumed,
  giveSignOfLife,
  type LiveCall,
  writeLiveCalls,
} from "../../store/live-calls.ts";
import type { CallEvent } from "../../webhooks/events.ts";
import { oweTo, wantedBy } from "../../webhooks/tell.ts";
import { type CallEnd, type CallFacts, tellStory } from "../calls/call-facts.ts";
import type { Journal, KeepCall } from "../calls/call-journal.ts";
import {
  answerEvent,
  hangupEvent,
  type KeptRecording,
  recordOf,
  ringingEvent,
  userHangupEvent,
} from "./call-record.ts";
import { type Entry, merge, packEntry, printEntry, unpackEntry, writtenNow } from "./entry.ts";
import type { KeptSeal } from "./kept-seal.ts";
import type { Notebook } from "./notebook.ts";

export type JournalParts = {
  db: Database;
  clock: Clock;
  log: Log;
  /** This machine's name among those that share the database. */
  node: string;
  /** Takes a finished recording into keeping; undefined when there is nothing worth keeping. */
  keepRecording(facts: CallFacts): Promise<KeptRecording | undefined>;
  /** In the transaction of the CDR: later work on the recording is owed from then on. */
  oweRecordingWork(db: Db, calls: ClosedCall[]): Promise<void>;
  /** After a crash: a call with what the disk knows of it and the journal does not. */
  leftBehind?(): Promise<(facts: CallFacts) => CallFacts>;
  /** After a crash: whatever else such a call was in the middle of. */
  onRecovered?(facts: CallFacts): Promise<void>;
  /** Hides the keys of voice in what is kept of calls; without it they are kept as they are. */
  seal?: KeptSeal | undefined;
  /** Off while the past is being cleared up: when this node was last alive must not be overwritten. */
  signsOfLife?: boolean;
  gatherMs?: number;
  /** Where it is written while the database cannot be; without it, it waits in memory. */
  arrears?: Stream | undefined;
  /** Where it stands until the database has it that somebody talks. */
  notebook?: Notebook | undefined;
};

export type OpenJournal = Journal & {
  /** Kept when nothing is left that an earlier life could not write. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/** Facts that change without an event (a codec, a new name) may be this late: a crash loses only their last change. */
const CHANGES_WITHIN_MS = 1_000;
/** A call whose first moments are nobody's knowledge yet; most are answered or over so soon that one entry says it all. */
const OPENING_WITHIN_MS = 40;
/** Who talks from now on may be cut off at any moment; in a rush a few share a transaction. */
const SETTLED_WITHIN_MS = 100;
const SIGN_OF_LIFE_MS = 1_000;
/** With no call up nothing hangs on it but that this node lives: every so manieth is written. */
const SIGNS_WHEN_IDLE = 5;
const SIGN_WITHIN_SECONDS = 2;
const SIGN = "sign of life";

export function openJournal(parts: JournalParts): OpenJournal {
  const { clock } = parts;
  const commits = openCommits(parts);
  const up = new Set<string>();
  const stopSigns = parts.signsOfLife === false ? undefined : giveSigns(parts, commits, () => up.size > 0);
  /** What is told of a call that has its record would stand in the journal for ever, as if a crash had cut it off. */
  const over = new WeakSet<CallFacts>();
  const keepers = new WeakMap<CallFacts, KeepCall>();
  const left = new WeakSet<CallFacts>();
  let isHandedOver = false;
  const note = (facts: CallFacts, event?: CallEvent, withinMs?: number) => {
    if (isHandedOver || left.has(facts) || over.has(facts)) return;
    up.add(facts.uuid);
    commits.put(facts.uuid, liveEntry(parts, { facts, keep: keepers.get(facts) }, event), withinMs);
  };
  /** What is written is what was noted: asked for once. */
  const noteAtOnce = (facts: CallFacts, event?: CallEvent, withinMs?: number) => {
    if (!parts.notebook || isHandedOver || left.has(facts) || over.has(facts)) return note(facts, event, withinMs);
    up.add(facts.uuid);
    const { live, events } = liveEntry(parts, { facts, keep: keepers.get(facts) }, event);
    const entry = { live: live && writtenNow(live), events };
    commits.put(facts.uuid, { ...entry, onWritten: [parts.notebook.note(printEntry(entry))] }, withinMs);
  };
  /** As they are now: what this process still does to them is not written, and nobody is told of it. */
  const leave = (calls: CallFacts[]) => {
    for (const facts of calls) {
      if (isHandedOver || left.has(facts) || over.has(facts)) continue;
      left.add(facts);
      commits.put(facts.uuid, liveEntry(parts, { facts: structuredClone(facts), keep: keepers.get(facts) }, undefined));
    }
  };
  return {
    opened(facts, keep) {
      if (keep) keepers.set(facts, keep);
      note(facts, undefined, OPENING_WITHIN_MS);
    },
    resumed(facts, keep) {
      keepers.set(facts, keep);
      note(facts);
    },
    settled: (facts) => note(facts, undefined, SETTLED_WITHIN_MS),
    rang: (facts) => note(facts, ringingEvent(facts), OPENING_WITHIN_MS),
    answered: (facts) => noteAtOnce(facts, answerEvent(facts, facts.answerMs ?? clock.wall())),
    talks: (facts) => noteAtOnce(facts, undefined, SETTLED_WITHIN_MS),
    changed: (facts) => note(facts, undefined, CHANGES_WITHIN_MS),
    passed: (facts) => note(facts),
    kept: (uuid) => new Promise((done) => commits.put(uuid, { events: [], onWritten: [done] })),
    userLeft: (facts, left) => note(facts, userHangupEvent(facts, left)),
    async handOver(calls) {
      leave(calls);
      await commits.settled();
      if (!isHandedOver) await forgiveStops(parts, calls);
      isHandedOver = true;
    },
    async letGo(calls) {
      if (commits.isAside()) return false;
      leave(calls);
      await commits.settled();
      if (!commits.isAside()) await forgiveStops(parts, calls);
      for (const { uuid } of calls) up.delete(uuid);
      return true;
    },
    async closed(facts, end) {
      if (isHandedOver || left.has(facts)) return;
      over.add(facts);
      up.delete(facts.uuid);
      return closeCall(parts, commits, facts, end);
    },
    caughtUp: () => commits.caughtUp(),
    async close() {
      await stopSigns?.();
      await commits.close();
    },
  };
}

/** Who stops in order was not killed by his calls, however often they have been gone on with. */
async function forgiveStops({ db, log }: JournalParts, calls: CallFacts[]): Promise<void> {
  const left = calls.map(({ uuid, exchangeId }) => ({ callUuid: uuid, exchangeId }));
  await forgetResumed(db.within(eachWithin(SIGN_WITHIN_SECONDS)), left).catch((error: unknown) =>
    log.warn({ error: String(error) }, "calls that are handed over still count as cut off"),
  );
}

/** For those who have to write in it what others have noted of calls. */
export function openCommits(parts: JournalParts): GroupCommit<Entry> {
  const { log, arrears } = parts;
  return openGroupCommit<Entry>({
    ...parts,
    merge,
    write: (db, entries) => writeEntries(parts, db, entries),
    onWritten: settle,
    onPoisoned(entry, error) {
      log.error({ call: entry.closed?.record.cdr ?? entry.live, error: String(error) }, "a call cannot be written");
      settle(entry);
    },
    aside: arrears && { stream: arrears, pack: packEntry, unpack: unpackEntry },
  });
}

async function closeCall(
  { keepRecording, log }: Pick<JournalParts, "keepRecording" | "log">,
  commits: GroupCommit<Entry>,
  facts: CallFacts,
  end: CallEnd,
): Promise<void> {
  const recording = await keepRecording(facts).catch((error: unknown) => {
    log.error({ call: facts.uuid, error: String(error) }, "a recording could not be kept");
    tellStory(facts, end.endMs, { is: "recording-failed", step: "keep", code: codeOf(error) });
    return undefined;
  });
  const record = recordOf(facts, end, recording);
  const hangup = hangupEvent(facts, end, recording !== undefined);
  await new Promise<void>((done) =>
    commits.put(facts.uuid, { events: [], closed: { record, hangup }, onWritten: [done] }),
  );
}

/** The system's own word for it, where it has one. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

type Noted = { facts: CallFacts; keep: KeepCall | undefined };

function liveEntry(parts: JournalParts, { facts, keep }: Noted, event: CallEvent | undefined): Entry {
  const { uuid, exchangeId, startMs, recordingPath, forms } = facts;
  facts.noted = (facts.noted ?? 0) + 1;
  const [seenMs, noted] = [parts.clock.wall(), facts.noted];
  const live = { callUuid: uuid, exchangeId, facts, noted, startMs, recordingPath, forms, seenMs };
  return { live: { ...live, keep: () => keptOf(parts, keep) }, events: event ? [event] : [] };
}

function settle({ onWritten = [] }: Entry): void {
  for (const done of onWritten) done();
}

/** A call that came and went between two transactions never shows in the journal of live calls, only in the CDRs. */
async function writeEntries({ node, oweRecordingWork }: JournalParts, db: Db, entries: Entry[]): Promise<void> {
  const live = entries.flatMap(({ live }) => (live ? [writtenNow(live)] : []));
  const closed = entries.flatMap(({ closed }) => closed ?? []);
  const signMs = Math.max(...entries.map(({ signMs = 0 }) => signMs));
  const hangups = closed.map(({ hangup }) => hangup);
  // What hangs on no answer is asked in one breath: the database is woken once for all of it.
  const [ours, wanted] = await Promise.all([
    closeCalls(
      db,
      closed.map(({ record }) => record),
    ),
    wantedBy(db, [...entries.flatMap(({ events }) => events), ...hangups]),
    writeLiveCalls(db, node, live),
    signMs > 0 ? giveSignOfLife(db, node, signMs) : undefined,
    oweForms(db, [...live, ...closed.map(({ record }) => ({ ...record.cdr, forms: record.forms }))].flatMap(owedOf)),
  ]);
  const isOurs = ({ record }: { record: ClosedCall }) => ours.has(record.cdr.callUuid);
  const told = (entry: Entry) => (entry.closed && isOurs(entry.closed) ? [entry.closed.hangup] : []);
  await oweTo(
    db,
    wanted,
    entries.flatMap((entry) => [...entry.events, ...told(entry)]),
  );
  await oweRecordingWork(
    db,
    closed.filter(isOurs).map(({ record }) => record),
  );
}

function keptOf({ seal }: JournalParts, keep: KeepCall | undefined): string | undefined {
  const kept = keep?.();
  return kept && (seal?.close(kept) ?? JSON.stringify(kept));
}

type Owing = Pick<LiveCall, "callUuid" | "exchangeId" | "forms">;

function owedOf({ callUuid, exchangeId, forms = [] }: Owing): Parameters<typeof oweForms>[1][number][] {
  return forms.map((form) => ({ ...form, callUuid, exchangeId }));
}

/** While the database is away they go where everything goes: a call that a crash cuts off then has lasted until then. */
function giveSigns(
  { db, clock, log, node }: JournalParts,
  commits: GroupCommit<Entry>,
  isAnyUp: () => boolean,
): () => Promise<void> {
  const hurried = db.within(eachWithin(SIGN_WITHIN_SECONDS));
  let stopped = false;
  let cancel = () => {};
  let sign = Promise.resolve();
  const setAside = () => {
    if (isAnyUp()) commits.put(SIGN, { events: [], signMs: clock.wall() });
  };
  let unwritten = SIGNS_WHEN_IDLE;
  const again = () => {
    unwritten += 1;
    if (commits.isAside()) setAside();
    else if (isAnyUp() || unwritten >= SIGNS_WHEN_IDLE) {
      unwritten = 0;
      sign = giveSignOfLife(hurried, node, clock.wall()).catch((error: unknown) => {
        log.warn({ error: String(error) }, "no sign of life could be written");
        setAside();
      });
    }
    void sign.then(() => {
      if (!stopped) cancel = clock.after(SIGN_OF_LIFE_MS, again);
    });
  };
  again();
  return async () => {
    stopped = true;
    cancel();
    await sign;
  };
}
