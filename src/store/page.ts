// One page of a list together with the true size of the whole.

export type Page = { page: number; limit: number };
/** `more`: there are more than `total`, and nobody counted them. */
export type Paged<Row> = { rows: Row[]; total: number; more?: true };

export function offsetOf({ page, limit }: Page): number {
  return (page - 1) * limit;
}
