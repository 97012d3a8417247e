// How a page of a list is shown.

import type { Page, Paged } from "../../store/page.ts";
import { type JsonAnswer, json } from "../door/answer.ts";

/** The parameters have defaults, which their optional types cannot say. */
export function pageOf({ page = 1, limit = 10 }: { page?: number; limit?: number }): Page {
  return { page, limit };
}

export function paged<Row>(
  name: string,
  { rows, total }: Paged<Row>,
  { page, limit }: Page,
  show: (row: Row) => object,
): JsonAnswer {
  return json({
    [name]: rows.map(show),
    pagination: { page, total_count: total, total_pages: Math.ceil(total / limit), limit },
  });
}

export const paginationExample = { page: 1, total_count: 1, total_pages: 1, limit: 10 };

/** An id out of a path. What cannot be one of ours is nobody's: no row has the id 0. */
export function readId(sent: string): number {
  return /^\d{1,15}$/.test(sent) ? Number(sent) : 0;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function readUuid(sent: string): string | undefined {
  return UUID.test(sent) ? sent.toLowerCase() : undefined;
}
