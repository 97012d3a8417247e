// What a running server answers its own command line about calls.

import type { Call } from "../exchange/calls/call.ts";
import type { Goal } from "../exchange/calls/goal.ts";
import type { Given } from "../exchange/signalling/trace/control.ts";
import type { Calls } from "./open-calls.ts";

export type ShownCall = {
  callUuid: string;
  exchangeId: number;
  direction: string;
  caller: string;
  destination: string;
  state: string;
  seconds: number;
};

/** What a running server says of its calls. */
export type ShownLoad = { calls: number; refusingCalls: boolean; callsRefused: number };

export function callAnswers({ desk, sandbox }: Calls): Record<string, (given: Given) => unknown> {
  return {
    load: (): ShownLoad => {
      const { refusing, refused } = desk.gate();
      return { calls: desk.live.size, refusingCalls: refusing, callsRefused: refused };
    },
    calls: () => desk.live.all().map(shown),
    end({ call = "" }) {
      const found = desk.live.all().find(({ facts }) => facts.uuid === call.toLowerCase());
      found?.tell({ is: "hung-up-by", who: "operator" });
      found?.hangUp("NORMAL_CLEARING", "operator");
      return found !== undefined;
    },
    sandbox: ({ from = "", to = "", exchange = "" }) =>
      sandbox?.call({ exchangeId: Number(exchange), from, to }) ?? { refused: "the sandbox is switched off" },
  };
}

function shown(call: Call<Goal>): ShownCall {
  const { uuid, exchangeId, direction, callerNumber, destinationNumber, startMs } = call.facts;
  return {
    callUuid: uuid,
    exchangeId,
    direction,
    caller: callerNumber,
    destination: destinationNumber,
    state: call.state(),
    seconds: Math.round((call.clock.wall() - startMs) / 1_000),
  };
}
