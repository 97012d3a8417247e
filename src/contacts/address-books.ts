// Which address books a CardDAV server has: the address may be that of a book, of a server, or lead there (RFC 6764).

import { createAccount, fetchAddressBooks } from "tsdav";
import { askDav, davText } from "./dav.ts";
import { RunOver, SourceFailed } from "./failure.ts";
import { asFetch, type Web } from "./guarded-fetch.ts";

export type AddressBook = { url: string; name: string };

const MOST_BOOKS = 200;

export async function findAddressBooks(web: Web, url: string): Promise<AddressBook[]> {
  const itself = await bookAt(web, url);
  if (itself) return [itself];
  try {
    const fetch = asFetch(web);
    const account = await createAccount({ account: { serverUrl: url, accountType: "carddav" }, fetch });
    const books = await fetchAddressBooks({ account, fetch });
    return books.slice(0, MOST_BOOKS).map((book) => ({ url: book.url, name: nameOf(book.url, book.displayName) }));
  } catch (error) {
    if (error instanceof SourceFailed || error instanceof RunOver) throw error;
    throw new SourceFailed("no-address-book", String(error)); // the library says in words what was missing
  }
}

/** The one that was chosen, or the only one there is. */
export async function chooseBook(
  web: Web,
  { url, address_book }: { url: string; address_book: string | null },
): Promise<string> {
  if (address_book) return address_book;
  const books = await findAddressBooks(web, url);
  if (books.length > 1) throw new SourceFailed("several-address-books", books.map(({ name }) => name).join(", "));
  return books[0]?.url ?? Promise.reject(new SourceFailed("no-address-book"));
}

async function bookAt(web: Web, url: string): Promise<AddressBook | undefined> {
  const prop = { "d:resourcetype": {}, "d:displayname": {} };
  const { responses } = await askDav(web, url, propfind("0", prop));
  for await (const slice of responses)
    for (const { props } of slice)
      if (Object.keys(props?.resourcetype ?? {}).includes("addressbook"))
        return { url, name: nameOf(url, davText(props?.displayname)) };
  return undefined;
}

function nameOf(url: string, displayName: unknown): string {
  const last = new URL(url).pathname
    .split("/")
    .filter((it) => it !== "")
    .at(-1);
  return davText(displayName) || (last ?? url);
}

const NAMESPACES = {
  "xmlns:d": "DAV:",
  "xmlns:cs": "http://calendarserver.org/ns/",
  "xmlns:card": "urn:ietf:params:xml:ns:carddav",
};

export function propfind(depth: "0" | "1", prop: Record<string, object>) {
  return {
    method: "PROPFIND",
    namespace: "d",
    headers: { depth },
    body: { propfind: { _attributes: NAMESPACES, prop } },
  } as const;
}

/** What has changed since the token was given (RFC 6578). */
export function syncReport(token: string) {
  const report = { "sync-token": token, "sync-level": 1, "d:prop": { "d:getetag": {} } };
  return {
    method: "REPORT",
    namespace: "d",
    headers: { depth: "0" },
    body: { "sync-collection": { _attributes: NAMESPACES, ...report } },
  } as const;
}
