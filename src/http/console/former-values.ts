// How that stood which is about to be changed, for the audit trail: the one place where it is read. Of secrets nothing.

import { readFormer } from "../../store/update.ts";
import { changedBy } from "../../words/audit/changed.ts";
import type { ConsoleContext, Operation } from "./operation/operation.ts";

type Sent = Record<string, unknown>;

/** Undefined where nothing stood: what is made, done or taken away. */
export async function formerValues(
  did: string,
  { former }: Pick<Operation, "former">,
  sent: Sent,
  context: Omit<ConsoleContext, "record">,
): Promise<Sent | undefined> {
  const where = changedBy(did);
  if (!where) return undefined;
  const { noun, by, flat } = where;
  const names = flat ? Object.keys(sent).filter((name) => name !== by) : Object.keys(sent.changes as object);
  const which = by === undefined ? undefined : (sent[by] as string | number); // as its schema has it
  const { db, exchangeId } = context;
  const kept = await readFormer(db, noun, { exchangeId, which, names });
  const others = await former?.(sent as never, context);
  return kept || others ? { ...kept, ...others } : undefined;
}
