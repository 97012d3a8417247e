// A town's diary: what the journal of its calls was told, one line an event, and the record of each call that ended.

import type { CallEnd, CallFacts } from "../../src/exchange/calls/call-facts.ts";
import type { Journal } from "../../src/exchange/calls/call-journal.ts";

export type Diary = { lines: string[]; records: { facts: CallFacts; end: CallEnd }[] };

export function journalInto({ lines, records }: Diary): Journal {
  return {
    opened: ({ direction, callerNumber, destinationNumber }) =>
      void lines.push(`opened ${direction} ${callerNumber} -> ${destinationNumber}`),
    resumed: ({ callerNumber, destinationNumber }) =>
      void lines.push(`resumed ${callerNumber} -> ${destinationNumber}`),
    settled: () => undefined,
    talks: () => undefined,
    handOver: async () => undefined,
    letGo: async () => true,
    kept: async () => undefined,
    rang: ({ dialedUser }) => void lines.push(`ringing ${dialedUser}`),
    answered: ({ connectedUser }) => void lines.push(`answer ${connectedUser}`),
    changed: () => undefined,
    passed: () => undefined,
    userLeft: (_, { extension }) => void lines.push(`user_hangup ${extension}`),
    closed: async (facts, end) => {
      lines.push(`hangup ${end.cause} by ${end.by}`);
      records.push({ facts, end });
    },
  };
}
