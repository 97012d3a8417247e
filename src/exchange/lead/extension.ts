// Takes a caller to an extension: its forwarding, its do-not-disturb, its phones.

import { spokenOf } from "../../codecs/codec.ts";
import { answerAfter } from "../../sip/headers/call-info.ts";
import type { Header } from "../../sip/message/message.ts";
import type { ExtensionSettings } from "../../store/call-settings.ts";
import type { Led } from "../calls/call.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { Goals } from "../calls/goal.ts";
import type { Leg } from "../calls/leg.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { ringPhones } from "../calls/ring.ts";
import { addressOf, diversionsTo, type Shown, verifiedAs } from "../calls/shown.ts";
import type { StoryFactOf } from "../calls/story.ts";
import type { Legs } from "../legs/legs.ts";
import { knownOf } from "../legs/whereabouts.ts";
import type { SentOnBy } from "../plan/sent-on.ts";
import { type Binding, isBrowser } from "../signalling/registrar/binding.ts";
import { shownBy } from "./caller-id.ts";
import type { Guide } from "./guide.ts";
import { heirsOf } from "./heirs.ts";
import { noteLetPass } from "./let-pass.ts";
import { anywhere, followMoved, tellMoved, toSomebody } from "./redirect.ts";
import { isAsleep, type WakeNeeds, type Waking, wakingOf } from "./waking.ts";

/** Why an extension's own phones do not decide about the call. */
export type Diverted = { because: HangupCause; to: string | null };

/** `isWoken`: a phone may come while we wait. */
type Now = { callsUp: number; phones: number; isWoken?: boolean };

/** Forwarding that answers before anybody is rung; undefined: ring the phones. */
function divertedAtOnce(extension: ExtensionSettings, now: Now): Diverted | undefined {
  if (extension.forwardAlways) return { because: "REDIRECTION_TO_NEW_DESTINATION", to: extension.forwardAlways };
  if (extension.dnd || now.callsUp >= extension.maxCalls)
    return { because: "USER_BUSY", to: extension.forwardBusy ?? mailboxOf(extension) };
  if (now.phones === 0 && !now.isWoken)
    return { because: "NO_USER_RESPONSE", to: extension.forwardUnreachable ?? mailboxOf(extension) };
  return undefined;
}

/** Undefined: phones ring for the call, or it goes on to wherever the extension says. */
export function whyNobodyTakes(extension: ExtensionSettings, now: Now): HangupCause | undefined {
  const diverted = divertedAtOnce(extension, now);
  return diverted?.to === null ? diverted.because : undefined;
}

/** Where a call goes on that the phones did not take. */
function divertedAfter(extension: ExtensionSettings, cause: HangupCause): string | null {
  const mailbox = mailboxOf(extension);
  if (cause === "USER_BUSY" || cause === "CALL_REJECTED") return extension.forwardBusy ?? mailbox;
  if (cause === "NO_ANSWER") return extension.forwardNoAnswer ?? mailbox;
  return unreachable.includes(cause) ? (extension.forwardUnreachable ?? mailbox) : null;
}

/** A mailbox that is switched on takes what nobody else does. */
function mailboxOf({ number, hasMailbox }: ExtensionSettings): string | null {
  return hasMailbox ? `voicemail/${number}` : null;
}

const unreachable: HangupCause[] = [
  "NO_USER_RESPONSE",
  "NETWORK_OUT_OF_ORDER",
  "DESTINATION_OUT_OF_ORDER",
  // A phone forwards to where nobody can be taken: the extension's own forwarding may know better.
  "REDIRECTION_TO_NEW_DESTINATION",
];

/** A phone's own forwarding that ends so has reached nobody: in a circle, barred, to a number that is none. */
const leadsNowhere: HangupCause[] = [
  "EXCHANGE_ROUTING_ERROR",
  "INCOMING_CALL_BARRED",
  "UNALLOCATED_NUMBER",
  "INVALID_NUMBER_FORMAT",
  "NO_ROUTE_DESTINATION",
  "FACILITY_REJECTED",
  "NORMAL_CIRCUIT_CONGESTION",
  "NO_USER_RESPONSE",
];

/** What it takes to ring an extension. */
export type RingNeeds = WakeNeeds & { live: Pick<LiveCalls, "of">; legs: Legs };

/**
 * Where a call may go on that the extension forwards: wherever it says; to whoever it names, by the exchange's own
 * setting or by a key of its phone, and from there no further, so that no mailbox takes what a group or queue should;
 * or nowhere.
 */
export type Forwards = "wherever" | "to somebody" | "nowhere";

/** A group or queue rings for its own time. `wakes`: others need not wait until somebody has opened his phone. */
export type Preference = {
  seconds?: number | undefined;
  forwards?: Forwards;
  answersItself?: boolean;
  wakes?: boolean;
};

export async function leadToExtension(
  guide: Guide<RingNeeds>,
  number: string,
  { seconds, forwards = "wherever", answersItself = false, wakes = forwards === "wherever" }: Preference = {},
): Promise<Led> {
  const { call, book, has } = guide;
  const extension = book.extensions.get(number);
  if (!extension?.active) {
    call.tell({ is: "no-such", what: "extension", which: number });
    return { failed: { cause: "UNALLOCATED_NUMBER" } };
  }
  const rung = has.legs.called.takeUp(call.facts.uuid, { is: "extension", number });
  const phones = rung.length > 0 ? [] : has.registrar.contactsOf(book.settings.id, number);
  const ringSeconds = seconds ?? extension.noAnswerSeconds;
  const shown = shownBy(guide);
  const callsUp = has.live.of(book.settings.id, number).filter((other) => other !== call).length;
  const waking = rung.length > 0 || !wakes ? undefined : wakingOf(guide, extension, { phones, shown });
  const now = { callsUp, phones: phones.length, isWoken: waking !== undefined };
  const diverted = rung.length > 0 ? undefined : divertedAtOnce(extension, now);
  if (diverted) {
    call.tell({ is: "does-not-ring", extension: number, why: whyNot(extension, diverted.because) });
    if (diverted.to && forwards === "wherever")
      return guide.forward(number, diverted.to, diverted.because, whyDiverted(extension, diverted.because));
    const somebody = forwards === "to somebody" ? extension.forwardAlways : null;
    const way = somebody === null ? undefined : toSomebody(guide, number, ringSeconds)(somebody);
    return way ? way() : { failed: { cause: diverted.because } };
  }
  const follows = forwards !== "nowhere";
  const desk = { extension, phones, rung, waking, shown, seconds: ringSeconds, answersItself, follows };
  // Where the phone itself shall answer, another of the extension's may be the one that does.
  const led = await ringOrWake(guide, { ...desk, forwardDecides: !answersItself }, wakes);
  if ("connected" in led || forwards === "nowhere" || guide.signal.aborted) return led;
  const { cause, moved = [] } = led.failed;
  if (forwards === "to somebody")
    return (await followMoved(guide, { by: number, moved, go: toSomebody(guide, number, ringSeconds) })) ?? led;
  const followed = await followMoved(guide, { by: number, moved, go: anywhere(guide, number) });
  if (followed && ("connected" in followed || guide.signal.aborted || !leadsNowhere.includes(followed.failed.cause)))
    return followed;
  const onwards = divertedAfter(extension, cause);
  return onwards ? guide.forward(number, onwards, cause, whyDiverted(extension, cause)) : (followed ?? led);
}

/** Rings the extension for the API: no forwarding, and unless somebody shall pick up, the phone answers by itself. */
export async function fetchDesk(guide: Guide<RingNeeds>, desk: Goals["desk"]): Promise<Led> {
  const { book, has } = guide;
  const extension = book.extensions.get(desk.extension);
  if (!extension) return { failed: { cause: "UNALLOCATED_NUMBER" } };
  const { shown, seconds } = desk;
  const wakes = desk.wakes === true && isAsleep(has, book, desk.extension);
  const rung = has.legs.called.takeUp(guide.call.facts.uuid, { is: "extension", number: desk.extension });
  const phones = rung.length > 0 ? [] : has.registrar.contactsOf(book.settings.id, desk.extension);
  const waking = rung.length > 0 || !wakes ? undefined : wakingOf(guide, extension, { phones, shown });
  const ringing = { extension, phones, rung, waking, shown, seconds, answersItself: !desk.manualAnswer };
  return ringOrWake(guide, ringing, wakes);
}

type Desk = {
  extension: ExtensionSettings;
  phones: Binding[];
  /** Those that an earlier process has begun to ring: they ring on, and no others. */
  rung: readonly Leg[];
  /** Its owner is told in his browser, and may come. */
  waking?: Waking | undefined;
  shown: Shown;
  seconds: number;
  /** The phone is asked to answer by itself. */
  answersItself: boolean;
  /** A phone that forwards by itself decides for all of them. */
  forwardDecides?: boolean;
  /** Where it forwards to is tried. */
  follows?: boolean;
};

/** Nothing came back from any of those that were rung. */
const isBroken = (cause: HangupCause) => cause === "NETWORK_OUT_OF_ORDER" || cause === "NO_USER_RESPONSE";

/** A page may be closed in the moment when it shall ring: its owner is told as if it had been closed before. */
async function ringOrWake(guide: Guide<RingNeeds>, desk: Desk, wakes: boolean): Promise<Led> {
  const led = await ringDesk(guide, desk);
  if ("connected" in led || !wakes || desk.waking?.hasBegun() || guide.signal.aborted) return led;
  if (!unreachable.includes(led.failed.cause) || led.failed.moved?.length) return led;
  // Of a page that was closed just now its connection may say so before anybody has taken it off the list.
  const gone = new Set(desk.phones.filter(isBrowser).map(({ key }) => key));
  const known = guide.has.registrar.contactsOf(guide.book.settings.id, desk.extension.number);
  const phones = known.filter(({ key }) => !isBroken(led.failed.cause) || !gone.has(key));
  const waking = wakingOf(guide, desk.extension, { phones, shown: desk.shown });
  return waking && !phones.some(isBrowser) ? ringDesk(guide, { ...desk, phones, rung: [], waking }) : led;
}

async function ringDesk(guide: Guide<RingNeeds>, desk: Desk): Promise<Led> {
  const { call } = guide;
  const { extension, phones, seconds, forwardDecides = false, follows = false } = desk;
  const { registrar } = guide.has;
  const rungNow = phones.map((phone) => ({ phone, leg: legTo(guide, desk, phone) }));
  const legs = [...desk.rung, ...rungNow.map(({ leg }) => leg)];
  const silent = rungNow.filter(({ phone }) => registrar.watch.silentSince(phone) !== undefined).map(({ leg }) => leg);
  const there = () => registrar.contactsOf(guide.book.settings.id, extension.number);
  const heirs = { clock: guide.clock, there, onRegister: registrar.onRegister };
  const late = (phone: Binding) => {
    const leg = legTo(guide, desk, phone);
    legs.push(leg);
    return leg;
  };
  let rang = false;
  let colleague: Leg | undefined;
  const taken = new AbortController();
  const takenBy = (leg: Leg) => {
    colleague ??= leg;
    taken.abort("PICKED_OFF");
  };
  call.rings();
  call.ringing.set(extension.number, { legs, takenBy });
  call.moved();
  const rung = await ringPhones(legs, {
    clock: guide.clock,
    seconds,
    signal: AbortSignal.any([guide.signal, taken.signal]),
    onRinging: (leg) => {
      if (rang) call.rings();
      else guide.rings(leg);
      rang = true;
    },
    onEarlyMedia: (leg) => guide.lets(leg),
    forwardDecides,
    onForward: (moved) => {
      if (!follows) tellMoved(guide, extension.number, moved);
    },
    silent: new Set(silent),
    latecomers: heirsOf({ ...heirs, legTo: late }, rungNow, desk.waking?.latecomers(late)),
  });
  desk.waking?.over(colleague ? { answered: colleague } : rung);
  call.ringing.delete(extension.number);
  call.moved();
  if (colleague) noteLetPass(call, legs, "PICKED_OFF");
  else if ("failed" in rung) noteLetPass(call, legs, rung.failed.cause);
  if (colleague) return { connected: colleague };
  if (extension.srtp === "required" && "failed" in rung && rung.failed.cause === "INCOMPATIBLE_DESTINATION")
    call.tell({ is: "not-encrypted", party: { is: "extension", number: extension.number, name: extension.name } });
  return "answered" in rung ? { connected: rung.answered } : rung;
}

function legTo(guide: Guide<RingNeeds>, { extension, shown, answersItself }: Desk, phone: Binding): Leg {
  const { sipDomain } = guide.book.settings;
  return guide.has.legs.outgoing(guide.call.facts.uuid, {
    party: { is: "extension", number: extension.number, name: extension.name },
    of: { exchangeId: guide.book.settings.id },
    codecs: guide.codecs(spokenOf(extension.codecs)),
    near: guide.leg?.stream(),
    isBrowser: isBrowser(phone),
    takesTalk: phone.takesTalk,
    reached: (answered) => guide.has.registrar.watch.note(phone, answered),
    terms: { srtp: extension.srtp },
    uri: phone.uri,
    destinations: [phone.destination],
    behindEdge: phone.source.client && knownOf(phone.source),
    keepsFlow: keepsFlow(phone),
    from: addressOf(shown, sipDomain),
    to: `<sip:${extension.number}@${sipDomain}>`,
    headers: [
      ...guide.hops(),
      ...diversionsTo(guide.sentOnBy(), sipDomain),
      ...(guide.call.facts.verified ? verifiedAs(shown, sipDomain) : []),
      ...phone.route.map((value) => ({ name: "Route", value })),
      ...(answersItself ? answerAfter(sipDomain, 0, phone.userAgent) : []),
      ...(isBrowser(phone) ? aboutTheCall(guide) : []),
    ],
  });
}

/** Behind an edge the way is what the edge records; else it is the phone's own connection, or its hole in a NAT. */
function keepsFlow({ source, destination, uri }: Binding): boolean {
  if (source.client) return false;
  return destination.connection !== undefined || !uri.includes(destination.address);
}

/** A web phone shows by which way a call came, and tells the page around it which call it is. */
function aboutTheCall({ call: { facts } }: Guide): Header[] {
  const told = { Call: facts.uuid, Queue: facts.queue ?? "", Dialled: facts.destinationNumber };
  return Object.entries(told)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ({ name: `X-Santral-${name}`, value: encodeURIComponent(value) }));
}

function whyNot({ dnd }: ExtensionSettings, because: HangupCause): StoryFactOf<"does-not-ring">["why"] {
  if (because === "REDIRECTION_TO_NEW_DESTINATION") return "forwarded";
  if (because === "NO_USER_RESPONSE") return "no-phone";
  return dnd ? "do-not-disturb" : "most-calls";
}

/** As the next one is told it (RFC 5806). */
function whyDiverted({ dnd }: ExtensionSettings, because: HangupCause): SentOnBy["reason"] {
  if (because === "REDIRECTION_TO_NEW_DESTINATION") return "unconditional";
  if (because === "NO_ANSWER") return "no-answer";
  if (because === "USER_BUSY") return dnd ? "do-not-disturb" : "user-busy";
  return because === "CALL_REJECTED" ? "deflection" : "unavailable";
}
