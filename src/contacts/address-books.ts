// Which address books a CardDAV server has: the address may be that of a book, of a server, or lead there (RFC 6764).

import { askDav, type Dav } from "./dav.ts";
import type { DavEntry } from "./dav-answer.ts";
import { propfind } from "./dav-questions.ts";
import { SourceFailed } from "./failure.ts";
import { whereTo } from "./guarded-fetch.ts";

export type AddressBook = { url: string; name: string };

const MOST_BOOKS = 200;

export async function findAddressBooks(dav: Dav, url: string): Promise<AddressBook[]> {
  const itself = await firstOf(dav, url, { "d:resourcetype": {}, "d:displayname": {} }, ({ isBook }) => isBook);
  if (itself) return [{ url, name: nameOf(url, itself.name) }];
  const root = await rootOf(dav, url);
  const whose = await firstOf(dav, root, { "d:current-user-principal": {} }, ({ principal }) => principal !== "");
  if (!whose) throw new SourceFailed("no-address-book", "current-user-principal");
  const person = addressFrom(root, whose.principal);
  const at = await firstOf(dav, person, { "card:addressbook-home-set": {} }, ({ home }) => home !== "");
  if (!at) throw new SourceFailed("no-address-book", "addressbook-home-set");
  return booksAt(dav, root, addressFrom(root, at.home));
}

/** The one that was chosen, or the only one there is. */
export async function chooseBook(
  dav: Dav,
  { url, address_book }: { url: string; address_book: string | null },
): Promise<string> {
  if (address_book) return address_book;
  const books = await findAddressBooks(dav, url);
  if (books.length > 1) throw new SourceFailed("several-address-books", books.map(({ name }) => name).join(", "));
  return books[0]?.url ?? Promise.reject(new SourceFailed("no-address-book"));
}

async function firstOf(
  dav: Dav,
  url: string,
  prop: Record<string, object>,
  isWanted: (entry: DavEntry) => boolean,
): Promise<DavEntry | undefined> {
  let found: DavEntry | undefined;
  await askDav(dav, { url, init: propfind("0", prop) }, (entry) => {
    if (isWanted(entry)) found ??= entry;
  });
  return found;
}

async function booksAt(dav: Dav, root: string, home: string): Promise<AddressBook[]> {
  const books: AddressBook[] = [];
  const init = propfind("1", { "d:displayname": {}, "d:resourcetype": {} });
  await askDav(dav, { url: home, init }, ({ isBook, href, name }) => {
    if (!isBook || books.length >= MOST_BOOKS) return;
    const url = addressFrom(root, href);
    books.push({ url, name: nameOf(url, name) });
  });
  return books;
}

/** Where its well-known address leads to, if anywhere. */
async function rootOf({ web }: Dav, url: string): Promise<string> {
  const known = new URL("/.well-known/carddav", url);
  for (const method of ["PROPFIND", "GET"]) {
    const to = await whereTo(web, known.href, method);
    if (to === undefined) continue;
    // Behind a door of its own many a server forgets that door's number.
    if (to.hostname === known.hostname && known.port !== "" && to.port === "") to.port = known.port;
    return to.href;
  }
  return url;
}

function addressFrom(root: string, href: string): string {
  const base = root.endsWith("/") ? root : `${root}/`;
  if (!URL.canParse(href, base)) throw new SourceFailed("no-address-book", href);
  return new URL(href, base).href;
}

function nameOf(url: string, displayName: string): string {
  const last = new URL(url).pathname
    .split("/")
    .filter((it) => it !== "")
    .at(-1);
  return displayName || (last ?? url);
}
