// Which calls somebody wants to see: the filters of the list of calls, for the page and for the table to download.

import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type CdrFilter, queuesCalled } from "../../../store/cdrs.ts";
import type { Db } from "../../../store/db.ts";
import { spellingsOf } from "../../exchange/cdrs.ts";
import { moment, text } from "./fields.ts";

export const callSearch = {
  from: Type.Optional(moment()),
  before: Type.Optional(moment()),
  direction: Type.Optional(Type.Enum(["inbound", "outbound", "internal"])),
  missed: Type.Optional(Type.Boolean()),
  recording: Type.Optional(Type.Enum(["present", "none", "deleted"])),
  caller: Type.Optional(text(64)),
  destination: Type.Optional(text(64)),
  queue: Type.Optional(text()),
};

const CallSearch = Type.Object(callSearch);
export type CallSearch = Static<typeof CallSearch>;

export async function callFilterOf(
  wanted: CallSearch,
  { db, exchangeId }: { db: Db; exchangeId: number },
): Promise<CdrFilter> {
  const { from, before, direction, missed, recording, caller, destination, queue } = wanted;
  return {
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
    direction,
    missed,
    recording: recording && [recording],
    callerNumbers: caller ? spellingsOf(caller) : undefined,
    destinationNumbers: destination ? spellingsOf(destination) : undefined,
    queues: queue ? await queuesCalled(db, exchangeId, queue) : undefined,
  };
}

/** The same out of a query string. */
export function readCallSearch(query: URLSearchParams): CallSearch | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.missed !== undefined) sent.missed = sent.missed === "true";
  return Value.Check(CallSearch, sent) ? (sent as CallSearch) : undefined;
}
