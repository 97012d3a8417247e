// What is the same in every kind of source: people come in pages, and what did not come any more is gone.

import type { Readers } from "../readers/task.ts";
import type { ForeignContact, ForeignFault, Incoming } from "../store/contact-pages.ts";
import type { Known, Memory, RunningSource } from "../store/contact-runs.ts";
import { SourceFailed } from "./failure.ts";
import type { Web } from "./guarded-fetch.ts";

export const MOST_ENTRIES = 100_000;
const PAGE = 500;

/** What is to be read, over what, and what we have of it already. */
export type Reading = { source: RunningSource; web: Web; known: Known; readers: Readers; share: string };

/** Foreign ids that have gone, and those of contacts that came back as something that cannot be one. */
export type Read = { gone: string[]; unreadable: string[]; memory: Memory };

/** Only what is new or has changed. */
export type SourceReader = (reading: Reading) => AsyncGenerator<Incoming[], Read>;

export type Sorter = {
  /** What is to be written of it; undefined when we have it as it is. */
  sort(foreignId: string, mark: string, told: ForeignContact | ForeignFault): Incoming | undefined;
  has(foreignId: string): boolean;
  unreadable: string[];
  /** Of a source that was read from beginning to end. */
  gone(): string[];
};

export function openSorter({ contacts, faults }: Known): Sorter {
  const seen = new Set<string>();
  const unreadable: string[] = [];
  return {
    unreadable,
    has: (foreignId) => seen.has(foreignId),
    sort(foreignId, mark, told) {
      seen.add(foreignId);
      if (seen.size > MOST_ENTRIES) throw new SourceFailed("too-many", String(MOST_ENTRIES));
      if ("why" in told) {
        if (contacts.has(foreignId)) unreadable.push(foreignId);
        return faults.get(foreignId) === mark ? undefined : { foreignId, mark, fault: told };
      }
      return contacts.get(foreignId) === mark && !faults.has(foreignId)
        ? undefined
        : { foreignId, mark, contact: told };
    },
    gone: () => [...new Set([...contacts.keys(), ...faults.keys()])].filter((it) => !seen.has(it)),
  };
}

export function* inPages(waiting: Incoming[], isLast: boolean): Generator<Incoming[]> {
  while (waiting.length >= PAGE || (isLast && waiting.length > 0)) yield waiting.splice(0, PAGE);
}
