// What does one kind of job, and what it says came of it.

import type { BackOff } from "./back-off.ts";

export type RunningJob = {
  id: number;
  /** 1 at the first try. */
  attempt: number;
  lane: string | null;
  /** Told when the lease was lost or the exchange stops: what is done from then on is done again by another. */
  signal: AbortSignal;
};

/** Nothing means done. A handler that throws made a mistake of ours; it is tried again like any other failure. */
export type Outcome = undefined | { retry: string } | { giveUp: string };

export type JobHandler = BackOff & {
  run(payload: never, job: RunningJob): Promise<Outcome>;
  /** Whether the rest of a lane goes on when its oldest job is given up. Default: it does. */
  deadHoldsLane?: boolean;
};

export type Handlers = Readonly<Record<string, JobHandler>>;
