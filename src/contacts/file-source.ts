// A file behind a URL as a source of contacts: fetched only when it has changed, and believed only when it is whole.

import type { Incoming } from "../store/contact-pages.ts";
import { SourceFailed, type SourceFailureKind } from "./failure.ts";
import { rowsApart } from "./file-apart.ts";
import type { ContactFile } from "./file-pieces.ts";
import type { FileRow } from "./file-rows.ts";
import { markOf } from "./foreign-contact.ts";
import { fetchGuarded, type Web } from "./guarded-fetch.ts";
import { inPages, openSorter, type Read, type Reading, type Sorter } from "./reading.ts";

const failures: Record<number, SourceFailureKind> = { 403: "login-refused", 404: "not-there", 410: "not-there" };

export async function* readFileSource({
  source,
  web,
  known,
  readers,
  share,
}: Reading): AsyncGenerator<Incoming[], Read> {
  const { etag, modified } = source.memory;
  const conditions = { ...(etag && { "If-None-Match": etag }), ...(modified && { "If-Modified-Since": modified }) };
  const file = await fetchFile(web, source.url, conditions);
  if (file === "unchanged") return { gone: [], unreadable: [], memory: source.memory };
  const sorter = openSorter(known);
  const waiting: Incoming[] = [];
  let row = 1;
  const how = { columns: source.columns, share, when: "later" } as const;
  for await (const { rows } of rowsApart(readers, file, how)) {
    for (const told of rows) {
      row++;
      const sorted = sortRow(sorter, row, told);
      if (sorted) waiting.push(sorted);
    }
    yield* inPages(waiting, false);
  }
  yield* inPages(waiting, true);
  return { gone: sorter.gone(), unreadable: sorter.unreadable, memory: file.memory };
}

/** Known by what the file calls him, or else by his number. */
function sortRow(sorter: Sorter, row: number, { id, told }: FileRow): Incoming | undefined {
  const isFault = "why" in told;
  const own = id !== "" ? `id:${id}` : isFault ? `row ${row}` : `tel:${told.fields.phone}`;
  if (!sorter.has(own)) return sorter.sort(own, isFault ? `${told.why} ${told.value}` : markOf(told), told);
  const fault = { why: "twice", value: isFault ? told.value : String(told.fields.phone) } as const;
  return sorter.sort(`row ${row}`, `twice ${fault.value}`, fault);
}

export async function fetchFile(
  web: Web,
  url: string,
  headers: Record<string, string>,
): Promise<ContactFile | "unchanged"> {
  const { status, headers: told, bytes } = await fetchGuarded(web, { url, method: "GET", headers, body: "" });
  if (status === 304) return "unchanged";
  if (status !== 200) throw new SourceFailed(failures[status] ?? "bad-answer", String(status));
  const [etag, modified] = [told.get("etag"), told.get("last-modified")];
  const memory = { ...(etag && { etag }), ...(modified && { modified }) };
  return { bytes, contentType: told.get("content-type") ?? "", memory };
}
