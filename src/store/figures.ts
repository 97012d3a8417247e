// What the figures of reports mean, once for all who show them: board, reports, tables and letters. docs/reports.md says the
// same to people; `call_parts` of the migrations counts by it.

/** Of one thing that calls are counted for: a direction, a queue, a number, an agent. */
export type Counted = {
  calls: number;
  /** A person took it: neither a mailbox nor a fax machine. */
  answered: number;
  /** Nobody and nothing answered, and we had not refused the caller. Of agents: rang him, and he let it pass. */
  missed: number;
  talkSeconds: number;
  waitSeconds: number;
  longestWait: number;
};

/** Of a queue: went on elsewhere, and nobody had taken them there. */
export type PassedOn = { passedOn: number };

/** Between nought and one; null where there is nothing to have a share of. */
export type Share = number | null;

function shareOf(part: number, whole: number): Share {
  return whole === 0 ? null : part / whole;
}

/** Of the callers who wanted a person, those who got one: mailboxes, fax machines and blocked callers are no part of it. */
export function answerRate({ answered, missed }: Pick<Counted, "answered" | "missed">): Share {
  return shareOf(answered, answered + missed);
}

/** Came to a queue, and ended there without a person: neither taken nor passed on. */
export function abandoned({ calls, answered, passedOn }: Pick<Counted, "calls" | "answered"> & PassedOn): number {
  return calls - answered - passedOn;
}

/** Of all who came to the queue, those who were answered there within its promise: who gives up or is passed on counts against it. */
export function serviceLevel({ calls, inTime }: { calls: number; inTime: number }): Share {
  return shareOf(inTime, calls);
}

/** Of the time an agent was there and not on a break, what he talked or wrote his notes. */
export function occupancy(agent: { talkSeconds: number; wrapUpSeconds: number; availableSeconds: number }): Share {
  const busy = shareOf(agent.talkSeconds + agent.wrapUpSeconds, agent.availableSeconds);
  return busy === null ? null : Math.min(1, busy);
}

/** In whole seconds. */
export function averageOf(seconds: number, calls: number): number {
  return calls === 0 ? 0 : Math.round(seconds / calls);
}
