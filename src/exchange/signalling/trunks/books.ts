// What is set up of trunks, by exchange: that of one is read again without the others.

import type { TrunkApproval, TrunkNumber, TrunkRule, TrunkSetup, TrunkSetups } from "../../../store/trunk-state.ts";

/** Trunks and rules in the order in which they are tried. */
export type TrunkBook = {
  trunks: readonly TrunkSetup[];
  rules: readonly TrunkRule[];
  numbers: readonly TrunkNumber[];
  approvals: readonly TrunkApproval[];
};

export type TrunkBooks = {
  of(exchangeId: number): TrunkBook;
  numberOf(number: string): TrunkNumber | undefined;
  approvalsOf(trunkId: number): readonly TrunkApproval[];
  /** `only`: of which exchanges it was read; of all of them otherwise. Kept with those whose book is another now. */
  take(read: TrunkSetups, only: readonly number[] | undefined): ReadonlySet<number>;
};

const EMPTY: TrunkBook = { trunks: [], rules: [], numbers: [], approvals: [] };
const KINDS = ["trunks", "rules", "numbers", "approvals"] as const;

export function openBooks(): TrunkBooks {
  const books = new Map<number, TrunkBook>();
  const numbers = new Map<string, TrunkNumber>();
  const approvals = new Map<number, TrunkApproval[]>();
  return {
    of: (exchangeId) => books.get(exchangeId) ?? EMPTY,
    numberOf: (number) => numbers.get(number),
    approvalsOf: (trunkId) => approvals.get(trunkId) ?? [],
    take(read, only) {
      const found = byExchange(read);
      const changed = new Set(only ?? [...books.keys(), ...found.keys()]);
      for (const id of changed) close(id);
      for (const id of changed) open(id, found.get(id));
      return changed;
    },
  };

  function close(exchangeId: number): void {
    const book = books.get(exchangeId) ?? EMPTY;
    // It may have become another's, whose book was read before.
    for (const { number } of book.numbers) if (numbers.get(number)?.exchangeId === exchangeId) numbers.delete(number);
    for (const { trunkId } of book.approvals) approvals.delete(trunkId);
    books.delete(exchangeId);
  }

  function open(exchangeId: number, book: TrunkBook | undefined): void {
    if (!book) return;
    books.set(exchangeId, book);
    for (const number of book.numbers) numbers.set(number.number, number);
    for (const approval of book.approvals)
      approvals.set(approval.trunkId, [...(approvals.get(approval.trunkId) ?? []), approval]);
  }
}

function byExchange(read: TrunkSetups): Map<number, TrunkBook> {
  const books = new Map<number, { [Kind in keyof TrunkBook]: TrunkBook[Kind][number][] }>();
  for (const kind of KINDS)
    for (const line of read[kind]) {
      const { exchangeId } = line;
      const book = books.get(exchangeId) ?? { trunks: [], rules: [], numbers: [], approvals: [] };
      books.set(exchangeId, book);
      (book[kind] as (typeof line)[]).push(line); // of that kind
    }
  return books;
}
