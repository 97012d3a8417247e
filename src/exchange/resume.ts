// Goes on with the calls that an earlier process left: the same streams and dialogs, without a word to those who talk. Who
// cannot be gone on with is hung up, and his call gets its record.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { MediaEngine } from "../media/engine.ts";
import type { Db } from "../store/db.ts";
import { noteResumed } from "../store/live-calls.ts";
import { tellStory } from "./calls/call-facts.ts";
import type { Goal } from "./calls/goal.ts";
import { canGoOn, type KeptCall, legsIn } from "./calls/kept-call.ts";
import type { KeptLeg } from "./calls/kept-leg.ts";
import type { Leg } from "./calls/leg.ts";
import { type OpenCallParts, openCall } from "./calls/open-call.ts";
import type { NotResumed } from "./calls/story.ts";
import type { LeftCall } from "./journal/recovery.ts";
import { meterLeg } from "./lead/meter-leg.ts";
import type { Legs } from "./legs/legs.ts";
import type { ResumedLine } from "./legs/resumed-leg.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";
import { termsOf } from "./signalling/trunks/from-trunk.ts";
import type { TrunkLine } from "./signalling/trunks/trunks.ts";
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

/** What is done there is known to this process alone: pages that go, somebody whom a campaign follows. */
const UNRESUMED: readonly Goal["is"][] = ["send fax", "called person", "campaign"];
/** What was said for a mailbox until then is kept as the message. */
const UNRESUMED_TARGETS: readonly string[] = ["fax", "voicemail"];

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
    const why = call.why ?? (await goOn(parts, call));
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

async function goOn(
  parts: ResumeParts,
  { facts, kept, lastSeenMs, cutOffMs }: LeftCall,
): Promise<NotResumed | undefined> {
  const { clock, settings, calls } = parts;
  if (!kept?.state || !canGoOn(kept)) return "not-possible";
  const book = await settings.of(facts.exchangeId);
  if (!book) return "no-exchange";
  const found = await withVoice(parts, kept);
  if (legsIn(kept.state).some((id) => !found.some((leg) => leg.id === id))) {
    for (const { media } of found) if (media) await parts.media.close(media.stream);
    return "no-voice";
  }
  tellStory(facts, clock.wall(), { is: "resumed", gapMs: Math.max(0, clock.wall() - lastSeenMs) });
  const resumed = found.map((leg) => resumeLeg(parts, { facts, lastSeenMs }, leg));
  openCall(calls, { book, facts, begin: { kept: withPagesAway(kept), legs: resumed }, notBeforeMs: cutOffMs });
  return undefined;
}

/** A browser's connection ended with the earlier process: until the page is back the other side hears music. */
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
  const line = lineOf(parts, exchangeId, kept);
  const leg = legs.resumed(uuid, kept, resumedLine(parts, exchangeId, kept));
  const { metered } = kept.line ?? {};
  if (line) void leg.over.then(line.seize());
  if (metered !== undefined) {
    const nowMs = clock.wall();
    const before = paidBefore(nowMs - (kept.facts.answerMs ?? nowMs), nowMs - lastSeenMs);
    meterLeg({ live: calls.live, spending }, { exchangeId, leg, number: metered, before });
  }
  return leg;
}

function lineOf({ trunks }: ResumeParts, exchangeId: number, { line }: KeptLeg): TrunkLine | undefined {
  return typeof line?.trunk === "string" ? trunks.lineOf(exchangeId, line.trunk) : undefined;
}

function resumedLine(parts: ResumeParts, exchangeId: number, kept: KeptLeg): ResumedLine {
  const line = lineOf(parts, exchangeId, kept);
  return {
    account: line?.account,
    connected: line && termsOf(line.trunk).connected,
    cameBack: wayBack(parts.phones, exchangeId, kept),
  };
}

/** Those whose streams are open again. */
async function withVoice({ media }: ResumeParts, { legs }: KeptCall<Goal>): Promise<KeptLeg[]> {
  const opened = await Promise.all(
    legs.map(async (leg) => (leg.media && (await media.resume(leg.media.stream)) ? [leg] : [])),
  );
  return opened.flat();
}

/** Nobody is left in a call that is no more. */
async function giveUp(parts: ResumeParts, left: LeftCall, close: CloseLeft): Promise<void> {
  const { facts, kept, why } = left;
  parts.log.warn({ call: facts.uuid, why }, "a call that was up cannot go on");
  for (const leg of kept?.legs ?? []) {
    const line = resumedLine(parts, facts.exchangeId, leg);
    parts.legs.resumed(facts.uuid, { ...leg, media: undefined }, line).end("SYSTEM_SHUTDOWN");
  }
  await close(left);
}
