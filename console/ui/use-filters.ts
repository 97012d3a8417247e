// Filters that stand in the address of a page: it can be kept, sent and gone back to.

import { useSearchParams } from "wouter";

/** Nothing, or an empty text, takes the filter away. */
export type ChangeFilter = (name: string, value: string | null) => void;

export function useFilters(): [URLSearchParams, ChangeFilter] {
  const [query, setQuery] = useSearchParams();
  const change: ChangeFilter = (name, value) =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  return [query, change];
}
