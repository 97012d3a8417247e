// How that stood which is about to be changed, for the audit trail: the one place where it is read. Of secrets nothing.

import { type Called, readCalled } from "../../store/called.ts";
import { readFormer } from "../../store/former.ts";
import { changedBy, givenIn } from "../../words/audit/changed.ts";
import type { ConsoleContext, Operation } from "./operation/operation.ts";

type Sent = Record<string, unknown>;

/** What a line of the audit trail has beside what was asked for: how it stood, and what ids stood for. */
export async function notedBeside(
  did: string,
  operation: Pick<Operation, "former">,
  sent: Sent,
  context: Omit<ConsoleContext, "record">,
): Promise<{ was?: Sent; called?: Called }> {
  const was = await formerValues(did, operation, sent, context);
  const called = await readCalled(context.db, context.exchangeId, { did, told: [sent, was] });
  return { ...(was && { was }), ...(called && { called }) };
}

/** Undefined where nothing stood: what is made, done or taken away. */
async function formerValues(
  did: string,
  { former }: Pick<Operation, "former">,
  sent: Sent,
  context: Omit<ConsoleContext, "record">,
): Promise<Sent | undefined> {
  const where = changedBy(did);
  if (!where) return undefined;
  const { noun, by } = where;
  const names = Object.keys(givenIn(where, sent).after ?? {});
  const which = by === undefined ? undefined : (sent[by] as string | number); // as its schema has it
  const { db, exchangeId } = context;
  const kept = await readFormer(db, noun, { exchangeId, which, names });
  const others = await former?.(sent as never, context);
  return kept || others ? { ...kept, ...others } : undefined;
}
