// Every INVITE that begins a call: who calls, what he wants, and the call that comes of it.

import { type CodecName, ownNames, spokenOf } from "../codecs/codec.ts";
import type { Log } from "../log.ts";
import type { MediaEngine } from "../media/engine.ts";
import { ALWAYS_EMERGENCY } from "../nouns/choices.ts";
import { replacesOf } from "../sip/headers/replaces.ts";
import type { Incoming } from "../sip/incoming.ts";
import { isMalformed } from "../sip/message/malformed.ts";
import { lineOf } from "../sip/message/text.ts";
import { isForHelp, userIn } from "../sip/message/uri.ts";
import type { CallSettings } from "../store/call-settings.ts";
import { nameOfCaller } from "../store/caller-names.ts";
import type { Db } from "../store/db.ts";
import { dialledGoal, type Goal } from "./calls/goal.ts";
import type { Leg } from "./calls/leg.ts";
import { isExtension } from "./calls/live-calls.ts";
import { type NewCall, type OpenCallParts, openCall } from "./calls/open-call.ts";
import type { Party } from "./calls/party.ts";
import type { StoryFact } from "./calls/story.ts";
import type { AgentRequest } from "./features/agents/agent-status.ts";
import { carryOutByPhone, type PhoneCodeParts, readPhoneCode } from "./features/agents/phone-codes.ts";
import type { QueueDesk } from "./features/queues/queue-desk.ts";
import { superviseByPhone } from "./features/supervision/supervision.ts";
import { TRY_AGAIN } from "./gate/gatekeeper.ts";
import type { CallingLeg } from "./legs/incoming-leg.ts";
import type { Legs } from "./legs/legs.ts";
import type { LineTerms } from "./legs/line-terms.ts";
import { turnedByPhone } from "./office-switch.ts";
import { emergencyIn } from "./plan/emergency.ts";
import { nationally, phoneNumber, written } from "./plan/numbers.ts";
import { presentationIn, readPresentation } from "./plan/presentation.ts";
import { routeInbound } from "./plan/route.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Authenticate } from "./signalling/registrar/login.ts";
import type { CameByTrunk, FromTrunk } from "./signalling/trunks/from-trunk.ts";
import { toldByNetwork } from "./told-by-network.ts";

export type IncomingCallsParts = {
  log: Log;
  db: Db;
  media: MediaEngine;
  settings: SettingsBook;
  legs: Legs;
  calls: OpenCallParts;
  queues: QueueDesk;
  phones: {
    authenticate: Authenticate;
    /** Whether that is an emergency number at any exchange. */
    callsForHelp(dialled: string): boolean;
  };
  /** Undefined: it did not come by a trunk of ours. Unknown: it did, for a number that nobody there has. */
  fromTrunk(incoming: Incoming): CameByTrunk;
  /** The exchange is stopping: a caller is told to try again. Calls for help are taken for as long as any call is up. */
  isClosing(forHelp?: boolean): boolean;
  /** Tells whether one more call may begin: at once, or when its turn has come. What is returned takes the request back. */
  queue(tell: (mayBegin: boolean) => void): () => void;
};

const PICK_UP = "*8";
/** Whoever is blocked. */
const refusals: Record<"blocked" | "not-ours", Goal> = {
  blocked: { is: "turned away", cause: "CALL_REJECTED" },
  "not-ours": { is: "turned away", cause: "UNALLOCATED_NUMBER" },
};

export function openIncomingCalls(parts: IncomingCallsParts): (incoming: Incoming) => void {
  return (incoming) => {
    if (parts.isClosing() && isTurnedAway(parts, incoming)) {
      incoming.reply(503, { headers: [{ name: "Retry-After", value: "10" }] });
      return;
    }
    const trunk = parts.fromTrunk(incoming);
    if (trunk === "unknown-number") return void incoming.reply(404);
    if (trunk) return whenCarried(parts, incoming, () => fromOutside(parts, incoming, trunk));
    const login = parts.phones.authenticate(incoming);
    if (!("extension" in login)) return undefined;
    const begin = () => fromPhone(parts, incoming, login.extension);
    const isForHelp = emergencyIn(dialledIn(incoming.request.uri), login.exchange.emergencyNumbers) !== undefined;
    return isForHelp ? attempt(parts, incoming, begin) : whenCarried(parts, incoming, begin);
  };
}

/** While others are waited for: not who calls for help, nor who takes the place of somebody on the line. */
function isTurnedAway({ isClosing, phones }: IncomingCallsParts, { request }: Incoming): boolean {
  return isClosing(replacesOf(request) !== undefined || phones.callsForHelp(dialledIn(request.uri)));
}

/** What a phone dialled: it may ask for help without a number. */
export function dialledIn(uri: string): string {
  return isForHelp(uri) ? ALWAYS_EMERGENCY : lineOf(userIn(uri) ?? "");
}

/** In its turn, when many begin at once. Who takes the place of somebody on the line begins no call. */
function whenCarried(parts: IncomingCallsParts, incoming: Incoming, begin: () => void): void {
  if (replacesOf(incoming.request) !== undefined) return begin();
  let leaveLine = () => {};
  incoming.onCancel(() => {
    leaveLine();
    incoming.reply(487);
  });
  leaveLine = parts.queue((mayBegin) => {
    if (!mayBegin) return void incoming.reply(TRY_AGAIN.status, TRY_AGAIN);
    return attempt(parts, incoming, begin);
  });
}

function attempt({ legs }: IncomingCallsParts, incoming: Incoming, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    incoming.reply(500);
    legs.mistake(error);
  }
}

/** Whose phone calls. */
type Desk = { exchangeId: number; number: string; name: string; codecs: readonly string[] };

function fromPhone(parts: IncomingCallsParts, incoming: Incoming, { exchangeId, number, name, codecs }: Desk): void {
  if (replacesOf(incoming.request) !== undefined)
    return takePlace(parts, incoming, { exchangeId, number, name, codecs });
  const { dialled, withheld } = readPresentation(dialledIn(incoming.request.uri));
  const party: Party = { is: "extension", number, name, withheld: withheld ?? presentationIn(incoming.request) };
  const leg = parts.legs.incoming(incoming, { party, of: { exchangeId }, codecs: spokenOf(codecs) });
  if (!leg) return;
  withSettings(parts, { exchangeId, leg }, async (book) => {
    const goal = dialledGoal(dialled, number, book);
    const read = goal.is === "number" ? goal.number : undefined;
    // Who calls for help need not encrypt.
    const srtp = read?.is === "emergency" ? undefined : book.extensions.get(number)?.srtp;
    const unfit = unfitOffer(leg, { srtp });
    if (!unfit && dialled.startsWith(PICK_UP))
      return pickUp(parts, { exchangeId, leg, of: dialled.slice(PICK_UP.length) });
    const code = unfit ? undefined : readPhoneCode(dialled, book.settings.breaks);
    if (code && "request" in code) return dialledRequest(parts, { ...code, leg, exchangeId });
    if (code && "office" in code) return turnedByPhone(parts, { leg, book, to: code.office });
    party.withheld ??= book.extensions.get(number)?.withholdNumber;
    // A code never leaves the exchange.
    const internal = read?.is === "extension" || code !== undefined || /^[*#]/.test(dialled);
    const supervises = code && (await superviseByPhone(parts.queues.store, { ...code, by: number, exchangeId }));
    open(parts, leg, {
      book,
      facts: {
        direction: internal ? "internal" : "outbound",
        origin: "phone",
        callerNumber: number,
        callerName: name,
        withheld: party.withheld ?? false,
        destinationNumber: read ? written(read) : dialled.slice(0, 64),
        destinationName: read?.is === "extension" ? (book.extensions.get(read.number)?.name ?? "") : "",
      },
      told: [
        { is: "dialled", by: number, number: dialled.slice(0, 64) },
        ...(party.withheld ? [{ is: "withholds-number" } as const] : []),
        ...(unfit?.told ?? []),
      ],
      begin: { caller: leg, goal: supervises ?? unfit?.goal ?? goal },
    });
  });
}

/** The trunk's own first; a carrier that knows none of them may still speak any of ours. */
function takenFrom(codecs: readonly string[]): CodecName[] {
  return [...new Set([...spokenOf(codecs), ...ownNames])];
}

/** What the caller's phone offers is judged before anybody rings: the call then only leaves its record. */
function unfitOffer(leg: CallingLeg, terms: LineTerms): { told: StoryFact[]; goal: Goal } | undefined {
  const why = leg.admit(terms);
  return (
    why && {
      told: [{ is: "offer-refused", party: leg.party, why }],
      goal: { is: "refused", cause: "INCOMPATIBLE_DESTINATION" },
    }
  );
}

function fromOutside(parts: IncomingCallsParts, incoming: Incoming, trunk: FromTrunk): void {
  const { exchangeId, dialled, caller, t38, account, terms = {}, codecs = [] } = trunk;
  const { sentOnBy = [], signed = [], attestation } = trunk;
  const read = phoneNumber(caller.number);
  const number = read ? nationally(read) : caller.number;
  const leg = parts.legs.incoming(incoming, {
    party: { is: "outside", number, name: caller.name },
    of: { exchangeId, trunk: trunk.trunk },
    codecs: takenFrom(codecs),
    t38,
    account,
    endsWithUs: trunk.trunk === undefined,
  });
  if (!leg) return;
  const release = trunk.seize ? trunk.seize() : () => undefined;
  if (!release) return leg.end("NORMAL_CIRCUIT_CONGESTION");
  void leg.over.then(release);
  if (trunk.trunk !== undefined) parts.calls.live.carriedBy(leg, trunk.trunk);
  withSettings(parts, { exchangeId, leg }, async (book) => {
    const { db, calls } = parts;
    const isKnown = caller.name === "" && !book.empty.has("contacts");
    const name = caller.name || (isKnown && (await nameOfCaller(db, { exchangeId, number }))) || "";
    const unfit = unfitOffer(leg, terms);
    const way = await routeInbound({ db, book, dialled, caller: number, nowMs: calls.clock.wall() });
    const goal: Goal = "refused" in way ? refusals[way.refused] : { is: "target", target: way.target };
    open(parts, leg, {
      book,
      facts: {
        direction: "inbound",
        origin: "phone",
        callerNumber: number,
        callerName: name,
        destinationNumber: dialled,
        destinationName: "",
        sentOnBy,
        signed,
        verified: attestation?.is === "verified",
        isUnwelcome: trunk.refused === true || ("refused" in way && way.refused === "blocked"),
      },
      told: [...way.told, ...toldByNetwork(trunk), ...("refused" in way ? [] : (unfit?.told ?? []))],
      begin: { caller: leg, goal: "refused" in way ? goal : trunk.refused ? refusals.blocked : (unfit?.goal ?? goal) },
    });
  });
}

/** Whoever stops the exchange ends the calls that are up; none may begin after that, however long a database was asked. */
function open({ calls, legs, isClosing }: IncomingCallsParts, leg: Leg, call: NewCall): void {
  const goal = "goal" in call.begin ? call.begin.goal : undefined;
  const isForHelp = goal?.is === "number" && goal.number.is === "emergency";
  if (isClosing(isForHelp)) return leg.end("SYSTEM_SHUTDOWN");
  return legs.traced(openCall(calls, call).facts.uuid, leg);
}

/** Our own mistake or a database that is away costs this caller his call, and nobody else anything. */
function withSettings(
  { settings, log }: IncomingCallsParts,
  { exchangeId, leg }: { exchangeId: number; leg: Leg },
  go: (book: CallSettings) => Promise<void>,
): void {
  const begun = async () => {
    const book = await settings.of(exchangeId);
    if (book) await go(book);
    else leg.end("NO_ROUTE_DESTINATION");
  };
  begun().catch((error: Error) => {
    log.error({ error: error.message }, "a call could not begin");
    leg.end("NORMAL_TEMPORARY_FAILURE");
  });
}

function dialledRequest(
  { media, queues, log }: IncomingCallsParts,
  { leg, ...request }: { exchangeId: number; leg: Leg; request: AgentRequest; description: string },
): void {
  const parts: PhoneCodeParts = {
    media,
    occupy: (exchangeId, extension) => queues.occupy(exchangeId, extension),
    request: (move) => queues.store.request(move),
  };
  carryOutByPhone(parts, { leg, ...request }).catch((error: Error) => {
    log.error({ error: error.message }, "an agent's wish was not carried out");
    leg.end("NORMAL_TEMPORARY_FAILURE");
  });
}

/** *8 takes whichever call rings, *81001 the one that rings at 1001. */
function pickUp(
  { calls }: IncomingCallsParts,
  { exchangeId, leg, of }: { exchangeId: number; leg: Leg; of: string },
): void {
  const ringing = calls.live.ringing(exchangeId, of === "" ? undefined : of);
  if (!ringing) return leg.end("NO_ROUTE_DESTINATION");
  ringing.call.tell({ is: "picks-up-for", extension: leg.party.number, of: ringing.extension });
  ringing.call.ringing.get(ringing.extension)?.takenBy(leg);
}

/**
 * A phone moves a call of its own to another of its phones, or picks up one that rings at a colleague (RFC 3891).
 * What nobody rings and nobody talks in cannot be replaced.
 */
function takePlace(
  { calls, legs }: IncomingCallsParts,
  incoming: Incoming,
  { exchangeId, number, name, codecs }: Desk,
): void {
  const named = replacesOf(incoming.request);
  if (named === undefined || isMalformed(named)) return void incoming.reply(400);
  const { callId, toTag, fromTag, earlyOnly } = named;
  const found = calls.live.withDialog(exchangeId, { callId, localTag: toTag, remoteTag: fromTag });
  if (!found) return void incoming.reply(481);
  const { call, leg: replaced, rings } = found;
  if (rings === undefined && earlyOnly && replaced.isAnswered()) return void incoming.reply(486);
  // Only one of two who talk can be replaced: whoever is led by a voice of ours is known to it by his line.
  const isOwn = isExtension(replaced, number) && call.state() === "talking";
  if (rings === undefined && !isOwn) return void incoming.reply(481);
  const party = { is: "extension", number, name } as const;
  const leg = legs.incoming(incoming, { party, of: { exchangeId }, codecs: spokenOf(codecs) });
  if (!leg) return;
  if (rings === undefined) return call.takeOver(replaced, leg);
  call.tell({ is: "picks-up-for", extension: number, of: rings });
  call.ringing.get(rings)?.takenBy(leg);
}
