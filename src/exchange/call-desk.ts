// The call desk: puts calls together out of legs, scripts and the journal, and keeps track of those that are up.

import type { Arrears } from "../arrears/arrears.ts";
import { atOnce, type Errands } from "../arrears/errands.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";
import type { MediaEngine, Sound } from "../media/engine.ts";
import type { Incoming } from "../sip/incoming.ts";
import type { Request } from "../sip/message/message.ts";
import type { Screened } from "../sip/stack-options.ts";
import type { Db } from "../store/db.ts";
import type { Call } from "./calls/call.ts";
import type { Journal } from "./calls/call-journal.ts";
import type { Goal } from "./calls/goal.ts";
import { LiveCalls } from "./calls/live-calls.ts";
import type { OpenCallParts } from "./calls/open-call.ts";
import { openReferrals } from "./calls/referrals.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { campaignScripts } from "./features/campaigns/journey.ts";
import { type PlaceCall, placesCalls } from "./features/campaigns/place-call.ts";
import type { FaxService } from "./features/faxes/fax-service.ts";
import { takesFaxes } from "./features/faxes/fax-tone.ts";
import { faxScripts, type PlaceFaxCall, placesFaxCalls } from "./features/faxes/send-fax.ts";
import { openFormDesk } from "./features/forms/forms.ts";
import { type ProgramNeeds, programScripts } from "./features/programming/program.ts";
import { dialsBack } from "./features/queues/dial-back.ts";
import { queueScripts } from "./features/queues/queue.ts";
import { QueueDesk } from "./features/queues/queue-desk.ts";
import type { QueueStore } from "./features/queues/queue-store.ts";
import { agentsTalkOn, expectInLine } from "./features/queues/talks-on.ts";
import { supervisionScripts } from "./features/supervision/supervision.ts";
import { trunkTestScripts } from "./features/trunk-tests/trunk-test.ts";
import { voicemailScripts } from "./features/voicemail/scripts.ts";
import type { MailboxNeeds } from "./features/voicemail/voicemail.ts";
import { openGatekeeper } from "./gate/gatekeeper.ts";
import { type GateState, openCallGate } from "./gate/overload.ts";
import { watchJournal } from "./gate/unwritten.ts";
import { handOver } from "./hand-over.ts";
import { dialledIn, openIncomingCalls } from "./incoming-calls.ts";
import type { LeftCall } from "./journal/recovery.ts";
import type { BarringNeeds } from "./lead/barring.ts";
import { dialScripts } from "./lead/dial.ts";
import type { Voice } from "./lead/guide.ts";
import { helpErrands } from "./lead/help.ts";
import { intercom } from "./lead/intercom.ts";
import { openLead } from "./lead/lead.ts";
import type { OutsideNeeds } from "./lead/outside.ts";
import type { Scripts } from "./lead/scripts.ts";
import { type Wake, whoSleeps } from "./lead/waking.ts";
import type { Legs } from "./legs/legs.ts";
import { type Bound, boundIn, openLettingGo, type Ringing } from "./let-go.ts";
import type { SettingsBook } from "./plan/settings.ts";
import { type CloseLeft, canResume, type ResumeParts, resumeCalls } from "./resume.ts";
import type { Authenticate } from "./signalling/registrar/login.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";
import type { CameByTrunk } from "./signalling/trunks/from-trunk.ts";
import type { TrunkLine } from "./signalling/trunks/ways-out.ts";
import { type Allowance, openSpending } from "./spending/spending.ts";

/** What calls are made of. */
export type CallNeeds = {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  db: Db;
  media: MediaEngine;
  settings: SettingsBook;
  journal: Journal;
  /** What could not be written into the database yet, and lies on disk. */
  arrears?: Pick<Arrears, "state"> | undefined;
  errands?: Errands<typeof helpErrands> | undefined;
  legs: Legs;
  phones: Pick<Registrar, "contactsOf" | "isRegistered" | "watch" | "onRegister" | "onChange" | "onGone"> & {
    authenticate: Authenticate;
    /** Whether a request is a phone's, although a trunk may call from the same address. */
    isPhone(incoming: Incoming): boolean;
    /** Whether that is an emergency number at any exchange. */
    callsForHelp(dialled: string): boolean;
  };
  trunks: {
    waysTo: OutsideNeeds["waysTo"];
    wayBy: OutsideNeeds["wayBy"];
    from(incoming: Incoming): CameByTrunk;
    /** By name, for the calls of an earlier process. */
    lineOf(exchangeId: number, trunk: string): TrunkLine | undefined;
  };
  /** What somebody hears who waits, among others. */
  voice: Voice & { holdMusic: Sound[] };
  allowance: Allowance;
  /** Tells browsers in which the web phone is closed. */
  wake?: Wake | undefined;
  /** 0 to 1. */
  chance(): number;
  /** Where the recording of a call is written while it lasts. */
  recordingPath(uuid: string): string;
};

/** What each feature brings along. */
export type FeatureNeeds = {
  mailboxes: Pick<MailboxNeeds, "secrets" | "voicemail">;
  queues: QueueStore;
  program: Omit<ProgramNeeds, "tape">;
  /** Undefined: this exchange was built without a fax machine. */
  fax?: FaxService | undefined;
};

export type CallDesk = {
  /** Asked of every request before it becomes a transaction: while too many call, new calls go no further. */
  screen(request: Request): Screened;
  /** How many calls are let in and turned away. */
  gate(): GateState;
  /** How long the record of a call that is over has waited to be written; 0 when none waits. */
  journalLagMs(): number;
  /** Takes an INVITE that begins a call. */
  invite(incoming: Incoming): void;
  exchange: Exchange;
  live: LiveCalls;
  queues: QueueDesk;
  /** Starts a call of a campaign. */
  placeCampaignCall: PlaceCall;
  /** Starts a call of a fax order. */
  placeFaxCall: PlaceFaxCall;
  /** Takes nothing new but calls for help; kept when no call is up any more. */
  drain(): Promise<void>;
  /** Goes on with the calls that an earlier process left; before anybody is let in. */
  resume(left: LeftCall[], close: CloseLeft): Promise<number>;
  /** Ends those calls of one exchange that another node could not go on with; kept when they have their records. */
  endCallsOf(exchangeId: number): Promise<void>;
  /** Calls of an exchange that another node could not go on with. */
  bound(exchangeId: number, ringing: Ringing): Bound[];
  /** Lets those of one exchange go to another node; false: not now. `forget` once they are its own. */
  letGo(exchangeId: number): Promise<boolean>;
  forget(exchangeId: number): void;
  /** Takes nothing new, ends what is up or leaves it to the next process, and waits until all of it is written. */
  close(how?: { handOver: boolean }): Promise<void>;
};

export function openCallDesk(needs: CallNeeds, features: FeatureNeeds): CallDesk {
  const { clock, log, db, media, settings, legs, phones, trunks, voice } = needs;
  const live = new LiveCalls();
  const { isClosing, drain, shut } = openDeskLife(live);
  const { journal, keepsUp, isFull, lagMs } = watchJournal(needs.journal, clock, needs.arrears);
  const gate = openCallGate({ clock, log, isFull, signs: [() => media.pulse(), () => legs.emptied(), keepsUp] });
  const mayBegin = () => new Promise<boolean>((tell) => void gate.queue(tell));
  const barring = { db, live, spending: openSpending({ allowance: needs.allowance, clock, log, settings }) };
  const queues = new QueueDesk({
    clock,
    log,
    unexpected: needs.unexpected,
    store: features.queues,
    chance: needs.chance,
    isReachable: phones.isRegistered,
    ...(needs.wake && { wake: needs.wake, asleep: whoSleeps({ registrar: phones, wake: needs.wake }, settings) }),
    isBusy: (...line) => live.isBusy(...line),
    lineOf: (...line) => live.lineOf(...line),
    ...dialsBack({ db, settings, calls: () => calls, isClosing }),
  });
  live.watch(({ call, extensions }) => queues.moved(call.facts.exchangeId, extensions));
  const calls: OpenCallParts = {
    ...callMeans(needs),
    journal,
    live,
    lead: openLead({ clock, media, voice, settings }, scriptsOf(needs, features, { live, queues, barring })),
    refer: openReferrals({ live, clock, unexpected: needs.unexpected }),
    fax: features.fax && takesFaxes({ media, clock, settings }),
    onMove: (call) => live.moved(call),
    onTalk: tracedToo(legs, openFormDesk({ settings, journal, clock, log })),
    onOver: (call) => live.remove(call),
    onMistake: ({ facts }, error) => tellMistake(log, facts.uuid, error),
  };
  return {
    live,
    queues,
    screen: openGatekeeper(clock, gate, ({ uri }) => phones.callsForHelp(dialledIn(uri))),
    gate: () => gate.state(),
    journalLagMs: lagMs,
    invite: openIncomingCalls({
      log,
      db,
      media,
      settings,
      legs,
      calls,
      queues,
      isClosing,
      queue: gate.queue,
      phones,
      fromTrunk: (incoming) => (phones.isPhone(incoming) ? undefined : trunks.from(incoming)),
    }),
    exchange: openExchange({ settings, registrar: phones, voice, queues, calls, barring, isClosing, mayBegin }),
    ...placingCalls({ settings, calls, takesNothing: () => isClosing() || !gate.enter() }),
    resume: (left, close) => resume({ ...needs, calls, ...barring }, queues, left, close),
    drain,
    endCallsOf: (exchangeId) => endAll(boundIn(live, exchangeId, "moves"), needs),
    ...openLettingGo({ ...needs, live, journal }),
    async close(how) {
      shut();
      gate.close();
      if (how?.handOver) return handOver({ ...needs, live, journal });
      return queues.close().then(() => endAll(live.all(), needs));
    },
  };
}

function callMeans({ clock, unexpected, media, voice, recordingPath, legs }: CallNeeds) {
  const { holdMusic } = voice;
  return { clock, unexpected, media, holdMusic, recordingPath, canResume, called: legs.called.of };
}

async function resume(parts: ResumeParts, queues: QueueDesk, left: LeftCall[], close: CloseLeft): Promise<number> {
  await expectInLine(queues, left);
  const resumed = await resumeCalls(parts, left, close);
  const known = new Set(left.map(({ facts }) => facts.uuid));
  const taken = parts.calls.live.all().filter(({ facts }) => known.has(facts.uuid));
  await agentsTalkOn(queues, taken, parts.clock);
  for (const { facts } of left.filter(({ facts }) => !taken.some((call) => call.facts.uuid === facts.uuid)))
    queues.open(facts.exchangeId)?.expected.settled(facts.uuid);
  return resumed;
}

function placingCalls(parts: Parameters<typeof placesCalls>[0]): Pick<CallDesk, "placeCampaignCall" | "placeFaxCall"> {
  return { placeCampaignCall: placesCalls(parts), placeFaxCall: placesFaxCalls(parts) };
}

/** Open, draining, closed. */
function openDeskLife(live: LiveCalls) {
  let [isDraining, isClosed] = [false, false];
  return {
    isClosing: (forHelp = false) => isClosed || (isDraining && !forHelp),
    shut() {
      isClosed = true;
    },
    drain() {
      isDraining = true;
      return new Promise<void>((resolve) => {
        const look = () => {
          if (live.size > 0) return;
          stop();
          resolve();
        };
        const stop = live.watch(look);
        look();
      });
    },
  };
}

/** Whoever is put through comes from another call, and is heard in the ladder of this one from now on. */
function tracedToo(legs: Legs, onTalk: NonNullable<OpenCallParts["onTalk"]>): typeof onTalk {
  return (call, newcomers) => {
    for (const leg of newcomers) legs.traced(call.facts.uuid, leg);
    onTalk(call, newcomers);
  };
}

function tellMistake(log: Log, call: string, error: unknown): void {
  log.error({ call, error: error instanceof Error ? error.stack : error }, "a call broke");
}

async function endAll(up: Call<Goal>[], { clock, log }: CallNeeds): Promise<void> {
  if (up.length > 0) log.info({ calls: up.length }, "ending the calls that are up");
  for (const call of up) call.hangUp("SYSTEM_SHUTDOWN");
  await Promise.all(up.map((call) => call.over));
  await new Promise<void>((resolve) => clock.after(0, resolve));
}

/** Every goal and every target of this exchange: what none of these lists leads to does not compile. */
export function scriptsOf(
  { log, db, legs, phones, trunks, voice, chance, wake, errands = atOnce(db, helpErrands) }: CallNeeds,
  { mailboxes, program, fax }: FeatureNeeds,
  { live, queues, barring }: { live: LiveCalls; queues: QueueDesk; barring: BarringNeeds },
): Scripts {
  const ring = { registrar: phones, live, legs, wake };
  const outside = { ...barring, log, live, legs, errands, waysTo: trunks.waysTo, wayBy: trunks.wayBy };
  const tape = mailboxes.voicemail;
  const voicemail = voicemailScripts({ ...mailboxes, db });
  const dial = dialScripts({ ...ring, ...outside, chance, codes: [...voicemail.codes, intercom(ring)] });
  const queue = queueScripts({ ...ring, db, log, queues, holdMusic: voice.holdMusic });
  const campaign = campaignScripts({ ...outside, tape });
  const faxes = faxScripts({ room: fax });
  const supervision = supervisionScripts({ live, audit: (line) => queues.store.audit(line) });
  const programmed = programScripts({ ...program, tape });
  const tests = trunkTestScripts(outside);
  return {
    goals: { ...dial.goals, ...queue.goals, ...campaign.goals, ...faxes.goals, ...supervision.goals, ...tests.goals },
    targets: {
      ...dial.targets,
      ...voicemail.targets,
      ...queue.targets,
      ...campaign.targets,
      ...faxes.targets,
      ...programmed.targets,
    },
  };
}
