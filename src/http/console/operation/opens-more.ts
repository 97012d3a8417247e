// Whether a change lets somebody in, or in further: who asks for it shows again who he is. A form sends all of its fields,
// so what stays as it is does not count.

import type { Noun } from "../../../nouns/field.ts";
import type { Db } from "../../../store/db.ts";
import { readFormer } from "../../../store/former.ts";

type Wanted = Readonly<Record<string, unknown>>;
type Whose = { db: Db; exchangeId: number };

/** Which of these fields are to become another, and what they are now. A secret that is given is another. */
export async function changed(
  noun: Noun,
  names: readonly string[],
  { which, wanted }: { which?: string | number; wanted: Wanted },
  { db, exchangeId }: Whose,
): Promise<{ name: string; now: unknown; next: unknown }[]> {
  const given = names.filter((name) => wanted[name] !== undefined);
  if (given.length === 0) return [];
  const former = await readFormer(db, noun, { exchangeId, which, names: given });
  const both = given.map((name) => ({ name, now: former?.[name] ?? null, next: wanted[name] ?? null }));
  return both.filter(({ now, next }) => JSON.stringify(now) !== JSON.stringify(next));
}

/** Of a list from the weakest to the strongest. */
export function isWeaker<Value>(order: readonly Value[], now: Value, next: Value): boolean {
  return order.indexOf(next) < order.indexOf(now);
}
