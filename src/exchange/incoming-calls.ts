// Every INVITE that begins a call: who calls, what he wants, and the call that comes of it.

import { replacesOf } from "../sip/headers/replaces.ts";
import type { Incoming } from "../sip/incoming.ts";
import { isMalformed } from "../sip/message/malformed.ts";
import { parseUri } from "../sip/message/uri.ts";
import type { CallSettings } from "../store/call-settings.ts";
import { nameOfCaller } from "../store/caller-names.ts";
import type { SupervisionMode } from "./calls/audience.ts";
import type { Goal } from "./calls/goal.ts";
import type { Leg, Party } from "./calls/leg.ts";
import { isExtension } from "./calls/live-calls.ts";
import { type OpenCallParts, openCall } from "./calls/open-call.ts";
import type { ExchangeParts } from "./exchange-parts.ts";
import type { AgentWish } from "./features/agents/agent-status.ts";
import { carryOutByPhone, readPhoneCode } from "./features/agents/phone-codes.ts";
import { TRY_AGAIN } from "./gate/doorkeeper.ts";
import { incomingLeg } from "./legs/incoming-leg.ts";
import { nationally, readNumber, written } from "./plan/numbers.ts";
import { routeInbound } from "./plan/route.ts";
import type { Authenticate } from "./signalling/registrar/login.ts";

/** A call that came by a trunk: the number of ours it is for, and what the network says of the caller. */
export type FromTrunk = {
  exchangeId: number;
  dialled: string;
  caller: { number: string; name: string };
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** Takes a channel of the trunk until what is returned is called; undefined when all are taken. */
  seize?(): (() => void) | undefined;
};

export type IncomingCallsParts = {
  exchange: ExchangeParts;
  calls: OpenCallParts;
  authenticate: Authenticate;
  /** Undefined: it did not come by a trunk of ours. */
  fromTrunk(incoming: Incoming): FromTrunk | undefined;
  /** The exchange is stopping: a caller is told to try again. */
  isClosing(): boolean;
  /** Tells whether one more call may begin: at once, or when its turn has come. What is returned takes the wish back. */
  queue(tell: (mayBegin: boolean) => void): () => void;
};

const PICK_UP = "*8";

export function openIncomingCalls(parts: IncomingCallsParts): (incoming: Incoming) => void {
  return (incoming) => {
    if (parts.isClosing()) {
      incoming.reply(503, { headers: [{ name: "Retry-After", value: "10" }] });
      return;
    }
    const trunk = parts.fromTrunk(incoming);
    if (trunk) return whenCarried(parts, incoming, () => fromOutside(parts, incoming, trunk));
    const login = parts.authenticate(incoming);
    if ("extension" in login) whenCarried(parts, incoming, () => fromPhone(parts, incoming, login.extension));
  };
}

/** In its turn, when many begin at once. Who takes the place of somebody on the line begins no call. */
function whenCarried({ queue, exchange }: IncomingCallsParts, incoming: Incoming, begin: () => void): void {
  if (replacesOf(incoming.request) !== undefined) return begin();
  let leaveLine = () => {};
  incoming.onCancel(() => {
    leaveLine();
    incoming.reply(487);
  });
  leaveLine = queue((mayBegin) => {
    if (!mayBegin) return void incoming.reply(TRY_AGAIN.status, TRY_AGAIN);
    try {
      begin();
    } catch (error) {
      incoming.reply(500);
      exchange.legs.mistake(error);
    }
  });
}

function fromPhone(
  parts: IncomingCallsParts,
  incoming: Incoming,
  { exchangeId, number, name }: { exchangeId: number; number: string; name: string },
): void {
  const leg = takeLine(parts, incoming, { party: { is: "extension", number, name } });
  if (!leg) return;
  const dialled = dialledBy(incoming);
  if (dialled.startsWith(PICK_UP)) return pickUp(parts, { exchangeId, leg, of: dialled.slice(PICK_UP.length) });
  if (replacesOf(incoming.request) !== undefined) return takePlace(parts, incoming, { exchangeId, leg });
  const code = readPhoneCode(dialled);
  if (code && "wish" in code) return dialledWish(parts, { ...code, leg, exchangeId });
  withSettings(parts, { exchangeId, leg }, async (book) => {
    const read = readNumber(dialled, (candidate) => book.extensions.has(candidate));
    const known = read.is !== "invalid" && read.is !== "service";
    const internal = read.is === "extension" || code !== undefined;
    const goal: Goal = { is: "dialled", number: dialled, by: number };
    const call = openCall(parts.calls, {
      book,
      facts: {
        direction: internal ? "internal" : "outbound",
        origin: "phone",
        callerNumber: number,
        callerName: name,
        destinationNumber: known ? written(read) : dialled.slice(0, 64),
        destinationName: read.is === "extension" ? (book.extensions.get(read.number)?.name ?? "") : "",
      },
      told: [{ is: "dialled", by: number, number: dialled.slice(0, 64) }],
      begin: { caller: leg, goal: code ? await supervision(parts, { exchangeId, number, code }) : goal },
    });
    parts.exchange.traced(call.facts.uuid, leg.sipCallId);
  });
}

function fromOutside(parts: IncomingCallsParts, incoming: Incoming, trunk: FromTrunk): void {
  const { exchangeId, dialled, caller, t38 } = trunk;
  const read = readNumber(caller.number);
  const number = read.is === "invalid" || read.is === "service" ? caller.number : nationally(read);
  const leg = takeLine(parts, incoming, { party: { is: "outside", number, name: caller.name }, t38 });
  if (!leg) return;
  const release = trunk.seize ? trunk.seize() : () => undefined;
  if (!release) return leg.end("NORMAL_CIRCUIT_CONGESTION");
  void leg.over.then(release);
  withSettings(parts, { exchangeId, leg }, async (book) => {
    const { db, clock } = parts.exchange;
    const isKnown = caller.name === "" && !book.empty.has("contacts");
    const name = caller.name || (isKnown && (await nameOfCaller(db, { exchangeId, number }))) || "";
    const { target, told } = await routeInbound({ db, book, dialled, caller: number, nowMs: clock.now() });
    const call = openCall(parts.calls, {
      book,
      facts: {
        direction: "inbound",
        origin: "phone",
        callerNumber: number,
        callerName: name,
        destinationNumber: dialled,
        destinationName: "",
      },
      told,
      begin: { caller: leg, goal: { is: "target", target } },
    });
    parts.exchange.traced(call.facts.uuid, leg.sipCallId);
  });
}

function takeLine(
  { exchange }: IncomingCallsParts,
  incoming: Incoming,
  who: { party: Party; t38?: boolean | undefined },
): Leg | undefined {
  return incomingLeg(exchange.legs, incoming, { id: exchange.newId(), codecs: exchange.codecs, ...who });
}

/** Our own mistake or a database that is away costs this caller his call, and nobody else anything. */
function withSettings(
  { exchange }: IncomingCallsParts,
  { exchangeId, leg }: { exchangeId: number; leg: Leg },
  go: (book: CallSettings) => Promise<void>,
): void {
  const begun = async () => {
    const book = await exchange.settings.of(exchangeId);
    if (book) await go(book);
    else leg.end("NO_ROUTE_DESTINATION");
  };
  begun().catch((error: Error) => {
    exchange.log.error({ error: error.message }, "a call could not begin");
    leg.end("NORMAL_TEMPORARY_FAILURE");
  });
}

function dialledWish(
  { exchange }: IncomingCallsParts,
  { leg, ...wish }: { exchangeId: number; leg: Leg; wish: AgentWish; description: string },
): void {
  carryOutByPhone(exchange, { leg, ...wish }).catch((error: Error) => {
    exchange.log.error({ error: error.message }, "an agent's wish was not carried out");
    leg.end("NORMAL_TEMPORARY_FAILURE");
  });
}

/** Whoever may not is told so by the busy tone, and the audit trail knows that he tried. */
async function supervision(
  { exchange }: IncomingCallsParts,
  {
    exchangeId,
    number,
    code,
  }: { exchangeId: number; number: string; code: { supervise: SupervisionMode; extension: string } },
): Promise<Goal> {
  const who = `extension ${number}`;
  const { supervise: mode, extension } = code;
  if (await exchange.queues.store.maySupervise(exchangeId, number)) return { is: "supervise", extension, mode, who };
  await exchange.queues.store.audit({
    exchangeId,
    who,
    did: `was refused to supervise extension ${extension} (${mode})`,
  });
  return { is: "target", target: { to: "hangup", how: "busy" } };
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

/** A phone moves a call of its own to another of its phones (RFC 3891). */
function takePlace(
  { calls }: IncomingCallsParts,
  incoming: Incoming,
  { exchangeId, leg }: { exchangeId: number; leg: Leg },
): void {
  const named = replacesOf(incoming.request);
  const found =
    named === undefined || isMalformed(named)
      ? undefined
      : calls.live.withDialog(exchangeId, { ...named, localTag: named.toTag, remoteTag: named.fromTag });
  // Only one of two who talk can be replaced: whoever is led by a voice of ours is known to it by his line.
  if (!found || !isExtension(found.leg, leg.party.number) || found.call.state() !== "talking")
    return leg.end("INVALID_CALL_REFERENCE");
  return found.call.takeOver(found.leg, leg);
}

export function dialledBy({ request }: Incoming): string {
  const uri = parseUri(request.uri);
  if (isMalformed(uri) || uri.scheme === "other") return "";
  return uri.scheme === "tel" ? uri.number : (uri.user ?? "");
}
