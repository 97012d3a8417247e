// The call desk: puts calls together out of legs, leads and the journal, and keeps track of those that are up.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";
import type { CodecName, MediaEngine, Sound } from "../media/engine.ts";
import type { WebGateway } from "../media/webrtc/gateway.ts";
import type { Hash } from "../sip/digest-answer.ts";
import type { Random } from "../sip/headers/random.ts";
import type { Incoming } from "../sip/incoming.ts";
import type { Request } from "../sip/message/message.ts";
import type { Stack } from "../sip/stack.ts";
import type { Screened } from "../sip/stack-options.ts";
import type { Destination } from "../sip/transport/transport.ts";
import type { Db } from "../store/db.ts";
import type { CallParts, Journal } from "./calls/call.ts";
import type { Goal } from "./calls/goal.ts";
import { LiveCalls } from "./calls/live-calls.ts";
import type { OpenCallParts } from "./calls/open-call.ts";
import { openReferrals } from "./calls/referrals.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import type { ExchangeParts } from "./exchange-parts.ts";
import { type PlaceCall, placesCalls } from "./features/campaigns/place-call.ts";
import { takesFaxes } from "./features/faxes/fax-tone.ts";
import { type PlaceFaxCall, placesFaxCalls } from "./features/faxes/send-fax.ts";
import { dialBack } from "./features/queues/dial-back.ts";
import { QueueDesk } from "./features/queues/queue-desk.ts";
import type { QueueStore } from "./features/queues/queue-store.ts";
import { openDoorkeeper } from "./gate/doorkeeper.ts";
import { type GateState, openCallGate } from "./gate/overload.ts";
import { watchJournal } from "./gate/unwritten.ts";
import { type FromTrunk, openIncomingCalls } from "./incoming-calls.ts";
import { openLead } from "./lead/lead.ts";
import { openStreamHub } from "./legs/stream-hub.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Authenticate } from "./signalling/registrar/login.ts";
import { openSpending, type Purse } from "./spending/spending.ts";

export type CallDeskParts = {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  db: Db;
  secrets: ExchangeParts["secrets"];
  media: MediaEngine;
  web?: WebGateway | undefined;
  stack: Stack;
  random: Random;
  hash: Hash;
  locate(uri: string): Promise<Destination[]>;
  registrar: ExchangeParts["registrar"];
  authenticate: Authenticate;
  settings: SettingsBook;
  journal: Journal;
  waysTo: ExchangeParts["waysTo"];
  fromTrunk(incoming: Incoming): FromTrunk | undefined;
  codecs: readonly CodecName[];
  product: string;
  holdMusic: Sound[];
  newUuid(): string;
  recordingPath(uuid: string): string;
  sound: ExchangeParts["sound"];
  speak: ExchangeParts["speak"];
  voicemail: ExchangeParts["voicemail"];
  ask: ExchangeParts["ask"];
  recognise: ExchangeParts["recognise"];
  queues: QueueStore;
  fax?: ExchangeParts["fax"];
  purse: Purse;
  traced: ExchangeParts["traced"];
  chance(): number;
};

export type CallDesk = {
  /** Asked of every request before it becomes a transaction: while too many call, new calls go no further. */
  screen(request: Request): Screened;
  /** How many calls are let in and turned away. */
  gate(): GateState;
  /** Takes an INVITE that begins a call. */
  invite(incoming: Incoming): void;
  exchange: Exchange;
  live: LiveCalls;
  queues: QueueDesk;
  /** Starts a call of a campaign. */
  placeCampaignCall: PlaceCall;
  /** Starts a call of a fax order. */
  placeFaxCall: PlaceFaxCall;
  /** Takes nothing new, ends what is up, and waits until every call has its record. */
  close(): Promise<void>;
};

export function openCallDesk(parts: CallDeskParts): CallDesk {
  const { clock, log, media } = parts;
  const live = new LiveCalls();
  let closing = false;
  const isClosing = () => closing;
  const { journal, keepsUp } = watchJournal(parts.journal, clock);
  const gate = openCallGate({ clock, log, signs: [() => media.pulse(), () => parts.stack.emptied(), keepsUp] });
  const mayBegin = () => new Promise<boolean>((tell) => void gate.queue(tell));
  const takesNothing = () => closing || !gate.enter();
  const { settings, registrar } = parts;
  const queues = new QueueDesk({
    ...{ clock, log, unexpected: parts.unexpected, store: parts.queues, chance: parts.chance },
    isReachable: (exchangeId, extension) => registrar.isRegistered(exchangeId, extension),
    isBusy: (exchangeId, extension) => live.isBusy(exchangeId, extension),
    dial: (exchangeId, callback, agent, seconds) =>
      dialBack({ settings, calls: () => calls, isClosing }, exchangeId, { callback, agent, seconds }),
  });
  live.watch(({ call, extensions }) => queues.moved(call.facts.exchangeId, extensions));
  const exchange = exchangeParts(parts, live, queues);
  const calls: OpenCallParts = {
    ...callParts({ ...parts, journal }, exchange, live),
    media,
    live,
    holdMusic: parts.holdMusic,
    newUuid: parts.newUuid,
    recordingPath: parts.recordingPath,
  };
  const { authenticate, fromTrunk, sound } = parts;
  return {
    live,
    queues,
    screen: openDoorkeeper(clock, gate),
    gate: () => gate.state(),
    invite: openIncomingCalls({ exchange, calls, authenticate, fromTrunk, isClosing, queue: gate.queue }),
    exchange: openExchange({ exchange, calls, isClosing, mayBegin, sound }),
    placeCampaignCall: placesCalls({ settings, calls, takesNothing }),
    placeFaxCall: placesFaxCalls({ settings, calls, takesNothing }),
    async close() {
      closing = true;
      gate.close();
      await queues.close();
      const up = live.all();
      if (up.length > 0) log.info({ calls: up.length }, "ending the calls that are up");
      for (const call of up) call.hangUp("SYSTEM_SHUTDOWN");
      await Promise.all(up.map((call) => call.over));
      await new Promise<void>((resolve) => clock.after(0, resolve));
    },
  };
}

function exchangeParts(parts: CallDeskParts, live: LiveCalls, queues: QueueDesk): ExchangeParts {
  const { clock, log, db, media, stack, random, hash, locate, product, registrar, settings, codecs, waysTo } = parts;
  return {
    clock,
    log,
    db,
    secrets: parts.secrets,
    media,
    registrar,
    settings,
    codecs,
    waysTo,
    sound: parts.sound,
    speak: parts.speak,
    chance: parts.chance,
    traced: parts.traced,
    voicemail: parts.voicemail,
    queues,
    fax: parts.fax,
    spending: openSpending({ purse: parts.purse, clock, log, settings }),
    holdMusic: parts.holdMusic,
    ask: parts.ask,
    recognise: parts.recognise,
    legs: {
      clock,
      media,
      web: parts.web,
      streams: openStreamHub(media),
      random,
      hash,
      stack,
      locate,
      product,
      unexpected: parts.unexpected,
      mistake: tellMistake(log),
    },
    newId: parts.newUuid,
    callsOf: (exchangeId, extension) => live.of(exchangeId, extension),
    callWith: (exchangeId, leg) => live.all(exchangeId).find((call) => call.legs().includes(leg)),
    outsideLegs: (exchangeId) => live.outsideLegs(exchangeId),
  };
}

/** A mistake of ours in one leg or call, which ends only that. */
function tellMistake(log: Log): (error: unknown) => void {
  return (error) => log.error({ error: error instanceof Error ? error.stack : String(error) }, "a leg of a call broke");
}

function callParts(parts: CallDeskParts, exchange: ExchangeParts, live: LiveCalls): CallParts<Goal> {
  return {
    clock: parts.clock,
    unexpected: parts.unexpected,
    journal: parts.journal,
    lead: openLead(exchange),
    refer: openReferrals({ live, clock: parts.clock, unexpected: parts.unexpected }),
    fax: parts.fax && takesFaxes(parts),
    onMove: (call) => live.moved(call),
    onOver: (call) => live.remove(call),
    onMistake: (call, error) =>
      parts.log.error({ call: call.facts.uuid, error: error instanceof Error ? error.stack : error }, "a call broke"),
  };
}
