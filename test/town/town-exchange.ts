// The exchange of a town: the stack, the call desk and what they stand on. A town may lose it as a crash does, and open
// another on what the first one has left.

import { type CallDesk, type CallNeeds, type FeatureNeeds, openCallDesk } from "../../src/exchange/call-desk.ts";
import type { Journal } from "../../src/exchange/calls/call-journal.ts";
import { openQueueStore } from "../../src/exchange/features/queues/queue-store.ts";
import { type OpenJournal, openJournal } from "../../src/exchange/journal/journal.ts";
import type { Notebook } from "../../src/exchange/journal/notebook.ts";
import { callsLeft, closeLeft, recoverCalls, takeUpNotes } from "../../src/exchange/journal/recovery.ts";
import { openLegs } from "../../src/exchange/legs/legs.ts";
import { openSettings } from "../../src/exchange/plan/settings.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { allowanceOf } from "../../src/exchange/spending/spending.ts";
import { atOurDoors } from "../../src/exchange/taken-over.ts";
import { silentLog } from "../../src/log.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import type { openRandom } from "../../src/sip/transport/random.ts";
import type { Database } from "../../src/store/db.ts";
import { setRecordedGreeting } from "../../src/store/mailboxes.ts";
import { secrets } from "../ground/secrets.ts";
import type { TestClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import type { memoryNetwork } from "../sip/memory-network.ts";
import { mortal } from "./mortal.ts";
import { type SilentLedger, type SilentMedia, silentMedia } from "./silent-media.ts";
import { type Diary, journalInto } from "./town-diary.ts";
import { soundFile } from "./town-rows.ts";
import type { TownSetup } from "./town-setup.ts";

export type TownExchangeParts = {
  clock: TestClock;
  network: ReturnType<typeof memoryNetwork>;
  random: ReturnType<typeof openRandom>;
  db: Database;
  diary: Diary;
  exchangeId: number;
  setup: TownSetup;
  phones: CallNeeds["phones"];
  trunks: CallNeeds["trunks"];
  /** The machine it runs on. */
  machine: Machine;
};

/** `takesOver`: what is left was another machine's, at other doors. */
export type Machine = { address: string; ledger: SilentLedger; notes: Map<symbol, string>; takesOver: boolean };

export type TownExchange = {
  media: SilentMedia;
  stack: Stack;
  board: CallDesk;
  queues: Awaited<ReturnType<typeof openQueueStore>>;
  settings: Awaited<ReturnType<typeof openSettings>>;
  /** From this moment on nothing of it does anything any more. */
  die(): Promise<void>;
  /** Nothing that it writes from now on is committed. */
  stall(): void;
  /** The same after a stop that leaves its calls to the next one. */
  handOver(): Promise<void>;
};

/** How long after its last sign of life a call is gone on with. */
const RESUME_MS = 120_000;

export async function openTownExchange(parts: TownExchangeParts): Promise<TownExchange> {
  const { network, random, diary, exchangeId, setup, phones, trunks } = parts;
  const { address, ledger, notes, takesOver } = parts.machine;
  const { clock, db, die, stall } = mortal(parts);
  const media = silentMedia({ address, ledger });
  const settings = await openSettings(db);
  const queues = await openQueueStore(db);
  const node = `town ${exchangeId} at ${address}`;
  const keeping = {
    ...{ db, clock, log: silentLog, node, gatherMs: 0 },
    onRecovered: async () => undefined,
    keepRecording: async () => undefined,
    oweRecordingWork: async () => undefined,
  };
  if (setup.keepsCalls) await takeUpNotes(keeping, [...notes.values()]);
  notes.clear();
  const left = setup.keepsCalls ? await callsLeft(keeping, RESUME_MS, takesOver ? exchangeId : undefined) : [];
  await recoverCalls(
    keeping,
    left.filter(({ kept }) => !kept),
  );
  const journal = setup.keepsCalls ? openJournal({ ...keeping, notebook: notebookIn(notes) }) : undefined;
  const stack = openStack({
    clock,
    random,
    unexpected,
    transports: [network.attach({ address }), network.attach({ address, port: 80, name: "ws" })],
    screen: (request) => board.screen(request),
    observe: (sighting) => setup.trace?.observe(sighting),
  });
  const legs = openLegs({
    clock,
    log: silentLog,
    media,
    stack,
    random,
    hash,
    product: "Town",
    voiceOfTrunk: () => false,
    unexpected,
    locate: async () => [],
    traced: (...leg) => setup.trace?.join(...leg),
  });
  const needs: CallNeeds = {
    clock,
    media,
    legs,
    log: silentLog,
    unexpected,
    db,
    phones,
    settings,
    journal: journal ? both(journalInto(diary), journal) : journalInto(diary),
    trunks,
    voice: {
      sound: async (_, id) => soundFile(exchangeId, id),
      speak: async (_, text, language) => `/speech/${language}/${text}.wav`,
      holdMusic: [{ is: "file", path: "music" }],
    },
    recordingPath: (uuid) => `/recordings/${uuid}.wav`,
    chance: () => 0,
    allowance: allowanceOf(db, silentLog),
    wake: setup.wake,
  };
  const board: CallDesk = openCallDesk(needs, { queues, ...featuresOf(parts, db) });
  stack.onRequest((incoming) => board.invite(incoming));
  await board.resume(
    left.filter(({ kept }) => kept).map((call) => (takesOver ? atOurDoors(stack, call) : call)),
    (call) => closeLeft({ ...keeping, withFiles: (facts) => facts }, needs.journal, call),
  );
  const end = async () => {
    die();
    media.crash();
    await stack.close();
  };
  return {
    media,
    stack,
    board,
    queues,
    settings,
    die: end,
    stall,
    async handOver() {
      await board.close({ handOver: true });
      await media.stop({ handOver: true });
      await end();
    },
  };
}

/** As a file has it. */
function notebookIn(notes: Machine["notes"]): Notebook {
  return {
    note(text) {
      const note = Symbol();
      notes.set(note, text);
      return () => notes.delete(note);
    },
    close: async () => undefined,
  };
}

/** The diary hears what the journal of a real exchange hears. */
function both(diary: Journal, journal: OpenJournal): Journal {
  const each = (tell: (journal: Journal) => void) => {
    tell(diary);
    tell(journal);
  };
  return {
    opened: (...told) => each((it) => it.opened(...told)),
    resumed: (...told) => each((it) => it.resumed(...told)),
    rang: (facts) => each((it) => it.rang(facts)),
    answered: (facts) => each((it) => it.answered(facts)),
    changed: (facts) => each((it) => it.changed(facts)),
    passed: (facts) => each((it) => it.passed(facts)),
    talks: (facts) => each((it) => it.talks(facts)),
    settled: (facts) => each((it) => it.settled(facts)),
    userLeft: (...told) => each((it) => it.userLeft(...told)),
    kept: (uuid) => journal.kept(uuid),
    handOver: (calls) => journal.handOver(calls),
    letGo: (calls) => journal.letGo(calls),
    async closed(...told) {
      await diary.closed(...told);
      await journal.closed(...told);
    },
  };
}

function featuresOf({ setup, diary, exchangeId }: TownExchangeParts, db: Database): Omit<FeatureNeeds, "queues"> {
  const voicemail: FeatureNeeds["mailboxes"]["voicemail"] = {
    folder: "/messages",
    toPlay: async (objectKey) => `/objects/${objectKey}`,
    keep: async ({ mailbox, durationMs }) => void diary.lines.push(`message for ${mailbox.number} of ${durationMs} ms`),
    keepGreeting: async ({ mailbox: { extensionId }, path }) =>
      void (await setRecordedGreeting(db, { exchangeId, extensionId, objectKey: path })),
    dropGreeting: async (_, { extensionId }) =>
      void (await setRecordedGreeting(db, { exchangeId, extensionId, objectKey: null })),
    discard: async (path) => void diary.lines.push(`discarded ${path}`),
  };
  return {
    mailboxes: { secrets, voicemail },
    program: {
      ask: async (url, limitMs) =>
        setup.service?.(new URL(url)) ??
        (await setup.web?.(url, limitMs)) ?? { failed: "nobody there", why: "unreachable" },
      recognise: setup.recognise,
    },
  };
}
