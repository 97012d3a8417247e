// Calls somebody back who kept his place in a queue: first the agent's phone rings, then his.

import type { Callback } from "../../../store/callbacks.ts";
import type { Call } from "../../calls/call.ts";
import { dialledGoal, type Goal } from "../../calls/goal.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { SettingsBook } from "../../plan/settings.ts";

export type DialBackParts = {
  settings: SettingsBook;
  /** Asked when it is needed: calls need queues, and queues need calls. */
  calls(): OpenCallParts;
  isClosing(): boolean;
};

export async function dialBack(
  { settings, calls, isClosing }: DialBackParts,
  exchangeId: number,
  { callback, agent, seconds }: { callback: Callback; agent: string; seconds: number },
): Promise<Call<Goal> | undefined> {
  const book = await settings.of(exchangeId);
  if (!book || isClosing()) return undefined;
  const { id, queue, caller, callerName, callUuid } = callback;
  const isExtension = (number: string) => book.extensions.has(number);
  return openCall(calls(), {
    book,
    facts: {
      direction: isExtension(caller) ? "internal" : "outbound",
      origin: "api",
      callerNumber: agent,
      callerName: book.extensions.get(agent)?.name ?? "",
      destinationNumber: caller,
      destinationName: callerName,
      queue,
    },
    told: [{ is: "called-back", number: caller, queue, call: callUuid }],
    begin: {
      fetch: {
        is: "desk",
        extension: agent,
        manualAnswer: true,
        wakes: true,
        seconds,
        shown: { number: caller, name: callerName },
      },
      goal: { is: "callback", id, to: dialledGoal(caller, agent, book) },
    },
  });
}
