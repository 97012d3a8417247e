// A source tried out before it is kept: what is found there, and what its first people would be here.

import type { Readers } from "../readers/task.ts";
import type { ForeignContact, ForeignFault } from "../store/contact-pages.ts";
import type { Requester } from "../webhooks/requester.ts";
import type { AddressBook } from "./address-books.ts";
import { failureOf, type SourceFailure } from "./failure.ts";
import { rowsApart } from "./file-apart.ts";
import type { TakenColumn } from "./file-rows.ts";
import { fetchFile } from "./file-source.ts";
import { type Web, webFor } from "./guarded-fetch.ts";

export type TriedSource = {
  kind: "carddav" | "file";
  url: string;
  address_book: string | null;
  username: string | null;
  password: string | null;
  columns: readonly string[];
};

export type Found = {
  /** Those to choose from, where a server has some. */
  books: AddressBook[];
  /** Null while no book is chosen. */
  entries: number | null;
  columns: readonly TakenColumn[];
  first: ForeignContact[];
  faults: ForeignFault[];
};

export type Tried = { found: Found } | { failure: SourceFailure };

const SHOWN = 20;
const LIMIT_MS = 30_000;

type TryParts = { requester: Requester; readers: Readers; share: string };

export async function trySource({ requester, ...parts }: TryParts, source: TriedSource): Promise<Tried> {
  const web = { ...webFor(requester, source, new AbortController().signal), limitMs: LIMIT_MS };
  try {
    return { found: await (source.kind === "file" ? tryFile : tryBook)(web, source, parts) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

async function tryFile(
  web: Web,
  { url, columns: said }: TriedSource,
  { readers, share }: Omit<TryParts, "requester">,
): Promise<Found> {
  const file = await fetchFile(web, url, {});
  const found: Found = { books: [], entries: 0, columns: [], first: [], faults: [] };
  if (file === "unchanged") return found;
  for await (const { rows, columns } of rowsApart(readers, file, { columns: said, share, when: "now" })) {
    found.entries = (found.entries ?? 0) + rows.length;
    found.columns = columns;
    for (const { told } of rows) show(found, told);
  }
  return found;
}

async function tryBook(
  web: Web,
  { url, address_book }: TriedSource,
  { readers, share }: Omit<TryParts, "requester">,
): Promise<Found> {
  const dav = { web, readers, how: { share, when: "now" } } as const;
  const [{ findAddressBooks }, { lookIntoBook }] = await Promise.all([
    import("./address-books.ts"),
    import("./carddav-source.ts"),
  ]);
  const books = await findAddressBooks(dav, url);
  const found: Found = { books, entries: null, columns: [], first: [], faults: [] };
  const chosen = address_book ?? (books.length === 1 ? books[0]?.url : undefined);
  if (!chosen) return found;
  const { entries, first } = await lookIntoBook(dav, chosen, SHOWN);
  for (const it of first) show(found, "contact" in it ? it.contact : it.fault);
  return { ...found, entries };
}

function show({ first, faults }: Found, told: ForeignContact | ForeignFault): void {
  if ("why" in told) {
    if (faults.length < SHOWN) faults.push(told);
  } else if (first.length < SHOWN) first.push(told);
}
