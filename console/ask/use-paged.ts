// A list that comes in pages, and turns back to the first one when something else is looked for.

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { OperationName, Parameters, Reply } from "./ask.ts";
import { useAsk } from "./use-ask.ts";

/** Operations whose answer is a page. */
export type PagedName = {
  [Name in OperationName]: Reply<Name> extends { rows: unknown[]; total: number } ? Name : never;
}[OperationName];

export type RowOf<Name extends PagedName> = Reply<Name>["rows"][number];

export type Paging<Row> = {
  query: UseQueryResult<{ rows: Row[]; total: number; more?: true }>;
  page: number;
  limit: number;
  turn(page: number): void;
};

const LIMIT = 25;

export function usePaged<Name extends PagedName>(
  name: Name,
  wanted: Omit<Parameters<Name>, "page" | "limit">,
  options: { limit?: number; refetchMs?: number } = {},
): Paging<RowOf<Name>> {
  const { limit = LIMIT, refetchMs } = options;
  const about = JSON.stringify(wanted);
  const [at, setAt] = useState({ about, page: 1 });
  const page = at.about === about ? at.page : 1;
  const parameters = { ...wanted, page, limit } as unknown as Parameters<Name>; // the two it was without
  const query = useAsk(name, parameters, refetchMs ? { refetchMs } : {});
  return {
    query: query as Paging<RowOf<Name>>["query"],
    page,
    limit, // its answer is a page, by its name
    turn: (page) => setAt({ about, page }),
  };
}
