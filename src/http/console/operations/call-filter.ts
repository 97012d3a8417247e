// Which calls somebody wants to see: the filters of the list of calls, for the page and for the table to download.

import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type CdrFilter, queuesCalled } from "../../../store/cdrs.ts";
import type { Db } from "../../../store/db.ts";
import { spellingsOf } from "../../exchange/cdrs.ts";
import { moment, text } from "./fields.ts";

export const callWish = {
  from: Type.Optional(moment()),
  before: Type.Optional(moment()),
  direction: Type.Optional(Type.Enum(["inbound", "outbound", "internal"])),
  missed: Type.Optional(Type.Boolean()),
  recording: Type.Optional(Type.Enum(["present", "none", "deleted"])),
  caller: Type.Optional(text(64)),
  destination: Type.Optional(text(64)),
  queue: Type.Optional(text()),
};

const CallWish = Type.Object(callWish);
export type CallWish = Static<typeof CallWish>;

export async function callFilterOf(
  wish: CallWish,
  { db, exchangeId }: { db: Db; exchangeId: number },
): Promise<CdrFilter> {
  const { from, before, direction, missed, recording, caller, destination, queue } = wish;
  return {
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
    ...{ direction, missed },
    recording: recording && [recording],
    callerNumbers: caller ? spellingsOf(caller) : undefined,
    destinationNumbers: destination ? spellingsOf(destination) : undefined,
    queues: queue ? await queuesCalled(db, exchangeId, queue) : undefined,
  };
}

/** The same out of a query string. */
export function readCallWish(query: URLSearchParams): CallWish | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.missed !== undefined) sent.missed = sent.missed === "true";
  return Value.Check(CallWish, sent) ? (sent as CallWish) : undefined;
}
