// Goes on with the calls that an earlier process left: the same streams and dialogs, without a word to those who talk. Who
// cannot be gone on with is hung up, and his call gets its record.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { MediaEngine } from "../media/engine.ts";
import type { Db } from "../store/db.ts";
import { noteResumed } from "../store/live-calls.ts";
import type { Call } from "./calls/call.ts";
import { type CallFacts, tellStory } from "./calls/call-facts.ts";
import type { Goal } from "./calls/goal.ts";
import { canGoOn, isCalled, type KeptCall, type KeptParties, legsIn } from "./calls/kept-call.ts";
import type { KeptLeg, KeptRinging } from "./calls/kept-leg.ts";
import type { Leg } from "./calls/leg.ts";
import { type OpenCallParts, openCall } from "./calls/open-call.ts";
import type { NotResumed } from "./calls/story.ts";
import type { LeftCall } from "./journal/recovery.ts";
import { meterLeg, paidBy, settleLeg } from "./lead/meter-leg.ts";
import type { Legs } from "./legs/legs.ts";
import type { ResumedLine } from "./legs/resumed-leg.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";
import { termsOf } from "./signalling/trunks/from-trunk.ts";
import type { TrunkLine } from "./signalling/trunks/ways-out.ts";
import { paidBefore, type Spending } from "./spending/spending.ts";
import { wayBack } from "./way-back.ts";

export type ResumeParts = {
  clock: Clock;
  log: Log;
  db: Db;
  media: MediaEngine;
  settings: SettingsBook;
  legs: Legs;
  calls: OpenCallParts;
  phones: Pick<Registrar, "contactsOf" | "onRegister">;
  trunks: { lineOf(exchangeId: number, trunk: string): TrunkLine | undefined };
  spending: Spending;
};

/** Known to this process alone, or begun anew by whoever wants it: pages that go, whom a campaign or a queue follows, a test. */
const UNRESUMED: readonly Goal["is"][] = [
  "send fax",
  "called person",
  "campaign",
  "callback",
  "trunk test",
  "trunk sentence",
];
/** What was said for a mailbox until then is kept as the message. */
const UNRESUMED_TARGETS: readonly string[] = ["fax", "voicemail"];

/** Databases are asked on the way to whom a call is led. */
const TAKEN_UP_WITHIN_MS = 5_000;

export function canResume(goal: Goal): boolean {
  return goal.is === "target" ? !UNRESUMED_TARGETS.includes(goal.target.to) : !UNRESUMED.includes(goal.is);
}

/** Gives the record to a call that nobody goes on with. */
export type CloseLeft = (call: LeftCall) => Promise<void>;

/** Before anybody is let in. Returns how many calls go on. */
export async function resumeCalls(parts: ResumeParts, left: LeftCall[], close: CloseLeft): Promise<number> {
  const { clock, log, db, media } = parts;
  const hopeful = left.filter(({ why }) => why === undefined).map(({ facts }) => facts);
  await noteResumed(
    db,
    hopeful.map(({ uuid, exchangeId }) => ({ callUuid: uuid, exchangeId })),
    clock.wall(),
  );
  const goOnWith = async (call: LeftCall) => {
    const why = call.why ?? (await goOn(parts, call).catch((error: unknown) => unreadable(parts, call, error)));
    if (why !== undefined) await giveUp(parts, { ...call, why }, close);
    return why === undefined;
  };
  // Who is led somewhere may be led to those who talk: a supervisor is.
  const isTalk = ({ kept }: LeftCall) => kept?.state?.at === "talking";
  const talks = await Promise.all(left.filter(isTalk).map(goOnWith));
  const others = await Promise.all(left.filter((call) => !isTalk(call)).map(goOnWith));
  await media.forgetLeftBehind();
  const resumed = [...talks, ...others].filter(Boolean).length;
  if (left.length > 0) log.warn({ resumed, ended: left.length - resumed }, "calls that were up go on");
  return resumed;
}

/** Whatever was kept of it: it costs this call, and nobody else anything. */
function unreadable({ log }: ResumeParts, { facts }: LeftCall, error: unknown): NotResumed {
  log.error({ call: facts.uuid, error: String(error) }, "what was kept of a call cannot be read");
  return "unknown";
}

async function goOn(
  parts: ResumeParts,
  { facts, kept, lastSeenMs, cutOffMs }: LeftCall,
): Promise<NotResumed | undefined> {
  const { clock, settings, calls } = parts;
  if (!kept?.state || !canGoOn(kept)) return "not-possible";
  const book = await settings.of(facts.exchangeId);
  if (!book) return "no-exchange";
  const found = await voicesAgain(parts, kept.legs);
  const [called, calling] = [kept.ringing.filter(isCalled), kept.ringing.filter((leg) => !isCalled(leg))];
  const ringing = await withVoice(parts, called);
  const callers = [
    ...calling.filter((leg) => !needsVoice(leg)),
    ...(await voicesAgain(parts, calling.filter(needsVoice))),
  ];
  if (legsIn(kept.state).some((id) => ![...found, ...callers].some((leg) => leg.id === id))) {
    for (const { media } of [...found, ...callers, ...ringing]) if (media) await parts.media.close(media.stream);
    return kept.legs.every(({ media }) => media) ? "no-voice" : "not-possible";
  }
  const gapMs = Math.max(0, clock.wall() - lastSeenMs);
  const isRinging = kept.ringing.length > 0;
  tellStory(facts, clock.wall(), { is: "resumed", gapMs, ...(isRinging && { ringing: true }) });
  const rung = called.filter((leg) => ringing.includes(leg)).map((leg) => resumeCalled(parts, facts, leg));
  hangUp(parts, facts, { legs: kept.strangers, ringing: called.filter((leg) => !ringing.includes(leg)) });
  const legs = [
    ...found.map((leg) => resumeLeg(parts, { facts, lastSeenMs }, leg)),
    ...callers.map((leg) => resumeCaller(parts, facts, leg)),
  ];
  const call = openCall(calls, { book, facts, begin: { kept: withPagesAway(kept), legs }, notBeforeMs: cutOffMs });
  ringOn(parts, call, rung);
  return undefined;
}

/** Whoever leads the call takes them up. Nobody is left ringing for a call that is led elsewhere meanwhile. */
function ringOn({ clock, legs }: ResumeParts, call: Call<Goal>, rung: Leg[]): void {
  if (rung.length === 0) return;
  const places = rung.flatMap(({ party }) => (party.is === "extension" ? [party.number] : []));
  const takenBy = (colleague: Leg) => colleague.end("NO_ROUTE_DESTINATION");
  const ringing = new Map(places.map((number) => [number, { legs: rung, takenBy }]));
  for (const [number, it] of ringing) call.ringing.set(number, it);
  call.moved();
  const letGo = () => {
    legs.called.letGo(call.facts.uuid);
    for (const [number, it] of ringing) if (call.ringing.get(number) === it) call.ringing.delete(number);
    call.moved();
  };
  const cancel = clock.after(TAKEN_UP_WITHIN_MS, letGo);
  void call.over.then(cancel).then(letGo);
}

function resumeCalled(parts: ResumeParts, { uuid, exchangeId }: CallFacts, kept: KeptRinging): Leg {
  const leg = parts.legs.resumedRinging(uuid, kept, lineOf(parts, exchangeId, kept).line);
  parts.legs.called.leave(uuid, leg);
  return leg;
}

function resumeCaller(parts: ResumeParts, { uuid, exchangeId }: CallFacts, kept: KeptRinging): Leg {
  const { seize, line } = lineOf(parts, exchangeId, kept);
  const leg = parts.legs.resumedRinging(uuid, kept, line);
  if (seize) void leg.over.then(seize());
  return leg;
}

/** What the line knows by which a party came or goes. */
function lineOf({ phones, trunks }: ResumeParts, exchangeId: number, kept: KeptLeg | KeptRinging) {
  const { trunk } = kept.line ?? {};
  const found = typeof trunk === "string" ? trunks.lineOf(exchangeId, trunk) : undefined;
  const line: ResumedLine = {
    of: { exchangeId, trunk },
    account: found?.account,
    connected: found && termsOf(found.trunk).connected,
    cameBack: wayBack(phones, exchangeId, kept),
  };
  return { seize: found?.seize, line };
}

/** A browser may be gone with the earlier process: until it is heard, or its page is back, the other side hears music. */
function withPagesAway(kept: KeptCall<Goal>): KeptCall<Goal> {
  const pages = kept.legs.filter(({ isBrowser }) => isBrowser).map(({ id }) => id);
  const before = kept.conversation.absent.filter(({ leg }) => !pages.includes(leg));
  const absent = [...before, ...pages.map((leg) => ({ leg, why: ["away" as const] }))];
  return { ...kept, conversation: { ...kept.conversation, absent } };
}

/** As one that has just been answered: counted on its line, and paid for from where the earlier process stopped. */
function resumeLeg(
  parts: ResumeParts,
  { facts, lastSeenMs }: Pick<LeftCall, "facts" | "lastSeenMs">,
  kept: KeptLeg,
): Leg {
  const { clock, calls, legs, spending } = parts;
  const { exchangeId, uuid } = facts;
  const { metered } = kept.line ?? {};
  const { seize, line } = lineOf(parts, exchangeId, kept);
  const leg = legs.resumed(uuid, kept, line);
  if (seize) void leg.over.then(seize());
  if (metered !== undefined) {
    const nowMs = clock.wall();
    const before = paidBefore(nowMs - (kept.facts.answerMs ?? nowMs), nowMs - lastSeenMs);
    const by = paidBy(facts, kept);
    meterLeg({ live: calls.live, spending }, { exchangeId, leg, number: metered, by, before });
  }
  return leg;
}

/** Where it was, or else where there is room: then its party is told. Keys that two have agreed on go nowhere else. */
async function voicesAgain<Kept extends KeptLeg | KeptRinging>(parts: ResumeParts, legs: Kept[]): Promise<Kept[]> {
  return (await Promise.all(legs.map((leg) => voiceAgain(parts, leg)))).flatMap((leg) => leg ?? []);
}

async function voiceAgain<Kept extends KeptLeg | KeptRinging>(
  { media, log }: ResumeParts,
  leg: Kept,
): Promise<Kept | undefined> {
  if (!leg.media) return undefined;
  if (await media.resume(leg.media.stream)) return leg;
  const { agreed, peerHint, towards = peerHint } = leg.media;
  if (!agreed || agreed.dtls || leg.isBrowser) return undefined;
  try {
    const place = await media.open({ peerHint, towards });
    await media.settle(place.stream, agreed);
    return { ...leg, media: { ...leg.media, ...place, isMoved: true } };
  } catch (error) {
    log.warn({ leg: leg.id, error: String(error) }, "there is no place for the voice of a call that was up");
    return undefined;
  }
}

/** Those whose streams are open again. */
async function withVoice<Kept extends Pick<KeptLeg, "media">>({ media }: ResumeParts, legs: Kept[]): Promise<Kept[]> {
  const opened = await Promise.all(
    legs.map(async (leg) => (leg.media && (await media.resume(leg.media.stream)) ? [leg] : [])),
  );
  return opened.flat();
}

/** Whoever calls us has been told where our voice is only where he hears something before the answer. */
const needsVoice = (leg: KeptRinging): boolean => leg.endsWithUs || leg.media !== undefined;

/** Nobody is left in a call that is no more. */
async function giveUp(parts: ResumeParts, left: LeftCall, close: CloseLeft): Promise<void> {
  const { facts, kept, why, lastSeenMs } = left;
  parts.log.warn({ call: facts.uuid, why }, "a call that was up cannot go on");
  try {
    if (kept) hangUp(parts, facts, { legs: [...kept.legs, ...kept.strangers], ringing: kept.ringing });
    for (const leg of kept?.legs ?? []) settleLeg(parts.spending, { call: facts, leg, lastSeenMs });
  } catch (error) {
    unreadable(parts, left, error);
  }
  await close(left);
}

/** Whoever called is refused, whoever rings is let go, and whoever talked is hung up. */
function hangUp(
  parts: ResumeParts,
  { uuid, exchangeId }: CallFacts,
  { legs, ringing }: Pick<KeptParties, "legs" | "ringing">,
): void {
  const silent = <Kept extends KeptLeg | KeptRinging>(leg: Kept) => ({ ...leg, media: undefined });
  const by = (leg: KeptLeg | KeptRinging) => lineOf(parts, exchangeId, leg).line;
  for (const leg of legs) parts.legs.resumed(uuid, silent(leg), by(leg)).end("SYSTEM_SHUTDOWN");
  for (const leg of ringing) parts.legs.resumedRinging(uuid, silent(leg), by(leg)).end("SYSTEM_SHUTDOWN");
}
