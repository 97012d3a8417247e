// What the stack counts, for metrics and for whoever wonders where the messages went.

import type { Refused } from "./transport/transport.ts";

export type Counters = {
  received: number;
  sent: number;
  dropped: number;
  malformed: number;
  repeats: number;
  strayResponses: number;
  strayRequests: number;
  overload: number;
  /** Strangers' requests that leave no room for an answer. */
  unanswered: number;
  unreachable: number;
  mistakes: number;
} & Record<Refused, number>;

export function noCounts(): Counters {
  return {
    received: 0,
    sent: 0,
    dropped: 0,
    malformed: 0,
    repeats: 0,
    strayResponses: 0,
    strayRequests: 0,
    overload: 0,
    unanswered: 0,
    unreachable: 0,
    mistakes: 0,
    "too-many-connections": 0,
    "too-many-from-source": 0,
    "unfinished-message": 0,
    "bad-stream": 0,
    "too-large": 0,
    handshake: 0,
    "slow-reader": 0,
  };
}

/** What a stack keeps now. */
export type Load = {
  clientTransactions: number;
  serverTransactions: number;
  unacknowledged: number;
  dialogs: number;
  connections: number;
};
