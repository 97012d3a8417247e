// How many calls a queue campaign may start now: enough that agents do not sit idle, few enough that hardly anybody who
// picks up finds no agent. Pure: the dialler says how things stand, this says a number.

import { inVain } from "./odds.ts";

export type PacingState = {
  /** Agents of the queue who could take a call this moment. */
  freeAgents: number;
  /** Agents of the queue who are on duty and will be free again: rung, talking, or writing their notes. */
  busyAgents: number;
  /** Calls for this queue that are dialled and not answered yet, of every campaign that feeds it. */
  ringing: number;
  /** Whoever has answered, or called in, and waits for an agent of the queue. */
  waiting: number;
  /** Calls of this campaign that are up, whatever they do; `ringing` and `waiting` ones included. */
  up: number;
  /** Calls for each agent on duty: the customer's own limit. */
  multiplier: number;
  /** Calls that the campaign's threads and the exchange's channels still allow. */
  room: number;
  /** Since the campaign began: answered calls that came to an agent, and those that did not. */
  served: number;
  abandoned: number;
  /** The share that may be abandoned. */
  cap: number;
  seen: Seen;
};

/** What the last calls were like. Older ones count less and less, because the morning is not the evening. */
export type Seen = {
  /** Calls that ended or were answered, and how many of them were answered. */
  attempts: number;
  answers: number;
  /** From dialling to the answer, summed over the answers; and from dialling to whatever came, summed over all. */
  ringSeconds: number;
  lineSeconds: number;
  /** Talks that ended, with the notes written after them, and their length. */
  talks: number;
  talkSeconds: number;
};

export const nothingSeen: Seen = {
  attempts: 0,
  answers: 0,
  ringSeconds: 0,
  lineSeconds: 0,
  talks: 0,
  talkSeconds: 0,
};

/**
 * So many answers or talks back, a call counts for about a third. Counted in answers, because those are what is rare; and
 * for a large crew, which has so many within a minute, in turns of all its calls.
 */
const MEMORY = 150;
const MEMORY_TURNS = 3;
/** Fewer than that say nothing about the rest. */
const FEWEST = 5;

/** `up`: calls of the campaign at that moment, whatever they did. */
export type SeenAttempt = { answered: boolean; seconds: number; up: number };

export function sawAttempt(seen: Seen, { answered, seconds, up }: SeenAttempt): Seen {
  const kept = answered ? keptWith(up) : 1;
  return {
    ...seen,
    attempts: seen.attempts * kept + 1,
    answers: seen.answers * kept + (answered ? 1 : 0),
    ringSeconds: seen.ringSeconds * kept + (answered ? seconds : 0),
    lineSeconds: seen.lineSeconds * kept + seconds,
  };
}

export function sawTalk(seen: Seen, { seconds, up }: { seconds: number; up: number }): Seen {
  const kept = keptWith(up);
  return { ...seen, talks: seen.talks * kept + 1, talkSeconds: seen.talkSeconds * kept + seconds };
}

function keptWith(up: number): number {
  return 1 - 1 / Math.max(MEMORY, MEMORY_TURNS * up);
}

export function callsToStart(state: PacingState): number {
  const onDuty = state.freeAgents + state.busyAgents;
  const ceiling = Math.floor(state.multiplier * onDuty) - state.up;
  const most = Math.min(ceiling, state.room);
  if (most <= 0) return 0;
  // A call for which an agent sits there already can disappoint nobody.
  const sure = Math.max(0, state.freeAgents - state.waiting - state.ringing);
  return sure >= most ? most : largest({ from: sure, to: most }, (calls) => isPolite(state, calls));
}

function isPolite(state: PacingState, calls: number): boolean {
  const { freeAgents, busyAgents, ringing, waiting, cap, seen } = state;
  const answers = calls * answerChance(seen) + ringing * rungChance(seen);
  const count = calls + ringing;
  const disappointed = inVain({
    answering: { count, chance: answers / count },
    freeing: { count: busyAgents, chance: freeingChance(seen) },
    spare: freeAgents - waiting,
  });
  const credit = creditOf(state);
  // Whatever was saved up: all of it must not be lost at one go.
  if (disappointed > Math.max(0, credit - 1) + cap * (answers + waiting)) return false;
  return disappointed <= boldness(state, credit) * (answers + waiting);
}

/** How many more could have been disappointed. */
function creditOf({ served, abandoned, cap }: PacingState): number {
  return cap * (served + abandoned) - abandoned;
}

/** However much was saved up, not every third call is a disappointment. */
const BOLDEST = 0.3;
const TIMIDEST = 0.1;
const LOW_CREDIT = 2;

/** In standard deviations of what the calls of a whole crew may bring at one go. */
const LARGEST_STEP = 2;

/**
 * The share that the arithmetic above may foresee. It knows neither people's patience nor how they differ, so what was
 * measured corrects it: the cap itself while the credit is one step, e times as much for each further one, and hardly
 * anything once an unlucky call or two more would be too many. A step is the standard error of the measured share, but no
 * more than luck can take away before we see it: where nearly everybody answers that is little, and a credit which is
 * never spent would only keep agents waiting.
 */
function boldness({ freeAgents, busyAgents, served, abandoned, cap, seen }: PacingState, credit: number): number {
  const standardError = Math.sqrt(cap * (served + abandoned) + 1);
  const luck = Math.sqrt((freeAgents + busyAgents) * (1 - answerChance(seen) + freeingChance(seen)));
  const share = cap * Math.exp(credit / Math.min(standardError, LARGEST_STEP * luck) - 1);
  return Math.min(BOLDEST, credit < LOW_CREDIT ? share * Math.max(TIMIDEST, credit / LOW_CREDIT) : share);
}

/** Of a call that is dialled now. Rather too high than too low: an answer that does not come disappoints nobody. */
function answerChance({ attempts, answers }: Seen): number {
  const chance = (answers + 2) / (attempts + 4);
  return Math.min(SUREST, chance + Math.sqrt((chance * (1 - chance)) / (attempts + 4)));
}

/** Of a call that rings already: those that will not be answered ring for another time than those that will. */
function rungChance(seen: Seen): number {
  const chance = answerChance(seen);
  if (seen.answers < FEWEST) return chance;
  const stays = seen.ringSeconds / seen.answers / (seen.lineSeconds / seen.attempts);
  return Math.min(SUREST, chance * stays);
}

const SUREST = 0.99;

/** That a busy agent is free again by the time a call that is dialled now is answered. */
function freeingChance({ answers, ringSeconds, talks, talkSeconds }: Seen): number {
  if (talks < FEWEST || answers < FEWEST) return 0;
  return 1 - Math.exp(-(ringSeconds / answers) / Math.max(1, talkSeconds / talks));
}

/** The largest number for which something holds; it is taken to hold for `from`, and for none beyond the first failure. */
function largest({ from, to }: { from: number; to: number }, holds: (number: number) => boolean): number {
  let [good, bad] = [from, to + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
