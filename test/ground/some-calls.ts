// Calls of three days as chance has them, the same in each run: a history that fails can be looked at.

import { randomUUID } from "node:crypto";
import type { ClosedCall } from "../../src/store/live-calls.ts";

export const BEGINS = Date.parse("2026-05-03T20:00:00Z");

export function chanceOfCalls(seed: number) {
  let state = seed;
  const chance = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * below) % below;
  };
  const oneOf = <One>(...some: [One, ...One[]]): One => some[chance(some.length)] ?? some[0];
  return { chance, oneOf, someCall };

  function somePass(queue: string): NonNullable<ClosedCall["passes"]> {
    if (chance(4) > 0) return [];
    const answered = chance(3) === 0;
    return [{ queue, waitSeconds: oneOf(0, 5, 20, 21, 120), answered, talkSeconds: answered ? chance(3) : 0 }];
  }

  function someCall(exchange: number): ClosedCall {
    const start = BEGINS + chance(3 * 86_400) * 1_000;
    const wait = oneOf(0, 4, 5, 6, 20, 21, 61, 299, 301);
    const answer = chance(3) === 0 ? null : new Date(start + wait * 1_000);
    const end = new Date(start + (wait + chance(200)) * 1_000);
    const connected = answer === null ? "" : oneOf("", "1000", "1001");
    const queue = oneOf(null, "200", "201");
    const talk = answer === null ? 0 : Math.round((end.getTime() - answer.getTime()) / 1_000);
    const leg = (destinationNumber: string, answered: boolean, hangupCause = "NORMAL_CLEARING") => ({
      destinationNumber,
      startStamp: new Date(start),
      answerStamp: answered ? answer : null,
      endStamp: end,
      ipAddress: "",
      sipUserAgent: "",
      writeCodec: "",
      readCodec: "",
      hangupCause,
    });
    return {
      cdr: {
        exchangeId: exchange,
        callUuid: randomUUID(),
        direction: oneOf("inbound", "outbound", "internal"),
        origin: "phone",
        startStamp: new Date(start),
        answerStamp: answer,
        endStamp: end,
        endedBy: "caller",
        callerIdName: "",
        callerIdNumber: oneOf("1000", "905321234567"),
        outboundCallerIdNumber: "908505320000",
        destinationNumber: "908505320000",
        destinationName: "",
        dialedUser: oneOf("", "1000"),
        connectedUser: connected,
        durationSeconds: wait + talk,
        talkSeconds: talk,
        queue,
        queueWaitSeconds: wait,
        missed: answer === null && chance(5) > 0,
        recording: "none",
        sipHangupDisposition: "caller",
        hangupCause: "NORMAL_CLEARING",
        failureStatus: null,
        failurePhrase: null,
        peer: "",
        listening: chance(9) === 0,
        queueStaySeconds: queue === null ? null : oneOf(null, null, 7, 25),
        queueEnd: queue === null ? null : oneOf(null, null, null, "passed-on" as const, "abandoned" as const),
      },
      passes: queue === null ? [] : ["200", "201", "700"].flatMap((other) => (other === queue ? [] : somePass(other))),
      legs: [
        leg("905321234567", true),
        leg("1000", connected === "1000", oneOf("NO_ANSWER", "LOSE_RACE")),
        leg("1001", true),
      ],
      story: [],
    };
  }
}
