// What calls to the outside have cost, as tables to download: a line a day, trunk, extension, price, campaign or kind; and a line
// a leg.

import { paidKinds, type SpentBy, spentOn } from "../nouns/spent.ts";
import type { Db } from "../store/db.ts";
import { type OneLine, type PaidLeg, spentLines, walkPaidLegs } from "../store/paid-legs.ts";
import type { Stretch } from "../store/stretch.ts";
import type { Cell } from "./cell.ts";

/** Beside numbers and ids that say little there are names. */
const isNamed = (by: SpentBy) => by === "extension" || by === "campaign";

export async function spentRows(db: Db, stretch: Stretch, by: SpentBy): Promise<Cell[][]> {
  const lines = await spentLines(db, stretch, by);
  return [
    [by, ...(isNamed(by) ? ["name"] : []), "calls", "minutes", "amount"],
    ...lines.map(({ which, name, calls, minutes, amount }) => [
      by === "day" && which !== null ? { wall: which } : on(by, which),
      ...(isNamed(by) ? [name] : []),
      ...[calls, minutes, amount],
    ]),
  ];
}

const on = (by: SpentBy, which: string | null): Cell => ({
  plain: which ?? "unnoted",
  said: (language) => spentOn(by, which, language),
});

const columns: [name: string, show: (leg: PaidLeg, timeZone: string) => Cell][] = [
  ["start", ({ at }, timeZone) => ({ wall: at.toLocaleString("sv-SE", { timeZone }) })],
  ["kind", ({ kind }) => ({ plain: kind, said: (language) => paidKinds[kind][language] })],
  ["number", ({ number }) => number],
  ["price", ({ prefix }) => on("price", prefix)],
  ["trunk", ({ kind, trunk }) => (kind === "unnoted" ? "" : on("trunk", trunk ?? ""))],
  ["extension", ({ extension }) => extension],
  ["name", ({ extensionName }) => extensionName],
  ["campaign", ({ campaign }) => campaign],
  ["minutes", ({ minutes }) => minutes],
  ["amount", ({ amount }) => amount],
  ["call_uuid", ({ callUuid }) => callUuid ?? ""],
];

/** The newest first. */
export async function* legRows(
  db: Db,
  stretch: Stretch,
  { line, atOnce }: { line: OneLine | undefined; atOnce: number },
): AsyncGenerator<Cell[][]> {
  yield [columns.map(([name]) => name)];
  for await (const legs of walkPaidLegs(db, stretch, { line, atOnce }))
    yield legs.map((leg) => columns.map(([, show]) => show(leg, stretch.timeZone)));
}
