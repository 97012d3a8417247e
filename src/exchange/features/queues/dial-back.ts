// Calls somebody back who kept his place in a queue: first the agent's phone rings, then his.

import type { Callback } from "../../../store/callbacks.ts";
import type { Db } from "../../../store/db.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import { callbackGoal, type NoCallback, whereToCallBack } from "./callback-number.ts";

export type DialBackParts = {
  db: Db;
  settings: SettingsBook;
  /** Asked when it is needed: calls need queues, and queues need calls. */
  calls(): OpenCallParts;
  isClosing(): boolean;
};

export function dialsBack(parts: DialBackParts) {
  return {
    dial: (exchangeId: number, callback: Callback, agent: string, seconds: number) =>
      dialBack(parts, exchangeId, { callback, agent, seconds }),
    whyNoCallback: (exchangeId: number, callback: Callback) => whyNoCallback(parts, exchangeId, callback),
  };
}

/** Asked before an agent's phone rings: since the number was left, it may have been barred. */
async function whyNoCallback(
  { db, settings }: DialBackParts,
  exchangeId: number,
  callback: Callback,
): Promise<NoCallback | undefined> {
  const book = await settings.of(exchangeId);
  const where = book && (await whereToCallBack(db, book, callback));
  return where && "why" in where ? where : undefined;
}

async function dialBack(
  { settings, calls, isClosing }: DialBackParts,
  exchangeId: number,
  { callback, agent, seconds }: { callback: Callback; agent: string; seconds: number },
): Promise<Call<Goal> | undefined> {
  const book = await settings.of(exchangeId);
  if (!book || isClosing()) return undefined;
  const { id, queue, caller, callerName, callUuid } = callback;
  const to = callbackGoal(book, callback, agent);
  return openCall(calls(), {
    book,
    facts: {
      direction: to.is === "number" && to.number.is === "extension" ? "internal" : "outbound",
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
      goal: { is: "callback", id, to },
    },
  });
}
