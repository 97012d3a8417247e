// People who call each other, and the outside, all the time: each call as the caller's phone saw it.

import { pause, realClock } from "../../src/clock.ts";
import type { CallMade, Deed } from "./history.ts";
import { type Person, soon, type Talking } from "./person.ts";
import type { Weather } from "./weather.ts";

export type TalkerNeeds = {
  deeds: Deed[];
  weather: Pick<Weather, "wasIll" | "fairMs">;
  random(): number;
  isOver(): boolean;
};

/** Answers at once and echoes. */
const OUTSIDE = "05000000001";

const TALK_MS = { least: 800, more: 5_000 };
const BETWEEN_MS = { least: 100, more: 1_500 };
/** A phone that was told nothing waits for its own goodbye to be given up. */
const GOODBYE_MS = 45_000;
/** Less is too little to find a tone in. */
const HEARS_FROM_MS = 2_000;
const HEARS = 0.05;

/** One of each row; they call each other in turn, and now and then the outside. */
export async function keepTalking(pair: readonly [Person, Person], needs: TalkerNeeds): Promise<void> {
  const { random, isOver } = needs;
  while (!isOver()) {
    const [caller, callee] = random() < 0.5 ? pair : [pair[1], pair[0]];
    const talk = random() < 0.2 ? callsOut(caller, needs) : calls(caller, callee, needs);
    await talk;
    await pause(realClock, BETWEEN_MS.least + random() * BETWEEN_MS.more);
  }
}

type Seen = Pick<CallMade, "outcome" | "talkedMs" | "heard" | "aloneMs">;

const NOT_TALKED = { talkedMs: 0, heard: undefined, aloneMs: 0 };

async function calls(caller: Person, callee: Person, needs: TalkerNeeds): Promise<void> {
  const fromMs = performance.now();
  callee.forget(caller.number);
  const call = await caller.call(callee.number);
  const answered = await callee.answered(caller.number, call === "unknown" || "refused" in call ? 0 : 2_000);
  const seen = await talked(call, answered, needs);
  if (call !== "unknown" && !("refused" in call)) caller.silence(call);
  if (answered) callee.silence(answered);
  note(needs, { caller: caller.number, callee: callee.number, fromMs, ...seen });
}

async function callsOut(caller: Person, needs: TalkerNeeds): Promise<void> {
  const fromMs = performance.now();
  const call = await caller.call(OUTSIDE);
  const seen = await talked(call, undefined, needs);
  if (call !== "unknown" && !("refused" in call)) caller.silence(call);
  note(needs, { caller: caller.number, callee: OUTSIDE, fromMs, ...seen });
}

async function talked(
  call: Awaited<ReturnType<Person["call"]>>,
  answered: Talking | undefined,
  { random, weather }: TalkerNeeds,
): Promise<Seen> {
  if (call === "unknown") return { outcome: "unknown", ...NOT_TALKED };
  if ("refused" in call) {
    // A server that stops in the middle refuses one whom another has answered; a timeout says nothing at all.
    const isPlain = call.refused < 500 && call.refused !== 408 && !answered;
    return { outcome: isPlain ? "refused" : "unknown", ...NOT_TALKED };
  }
  const sinceMs = performance.now();
  const overs = [call.over, ...(answered ? [answered.over] : [])];
  await Promise.race([pause(realClock, TALK_MS.least + random() * TALK_MS.more), ...overs]);
  const talkedMs = performance.now() - sinceMs;
  const heard = talkedMs < HEARS_FROM_MS ? undefined : hear(call, answered);
  const [first, second] = random() < 0.5 || !answered ? [call, answered] : [answered, call];
  const fromMs = performance.now();
  await soon(first.hangUp(), GOODBYE_MS);
  if (second) await soon(second.over, GOODBYE_MS);
  const aloneMs = Math.round(weather.fairMs({ fromMs, toMs: performance.now() }));
  return { outcome: "done", talkedMs, heard, aloneMs };
}

/** Outside is an echo of oneself. */
function hear(call: Talking, answered: Talking | undefined): boolean {
  if (!answered) return call.voice.hears(call.says) > HEARS;
  return call.voice.hears(answered.says) > HEARS && answered.voice.hears(call.says) > HEARS;
}

function note({ deeds, weather }: TalkerNeeds, call: Omit<CallMade, "is" | "toMs" | "fair" | "unrecorded">): void {
  const span = { fromMs: call.fromMs, toMs: performance.now() };
  const isOfDisk = (name: string) => name.startsWith("disk");
  deeds.push({ is: "call", ...call, ...span, fair: !weather.wasIll(span), unrecorded: weather.wasIll(span, isOfDisk) });
}
