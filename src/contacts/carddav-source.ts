// An address book as a source of contacts: what changed since last time is asked for where the server can tell, and found
// by comparing tags where it cannot; only cards that are new or have changed are fetched.

import type { Incoming } from "../store/contact-pages.ts";
import type { Memory } from "../store/contact-runs.ts";
import { chooseBook } from "./address-books.ts";
import { askDav, type Dav, davFailure } from "./dav.ts";
import type { DavEntry } from "./dav-answer.ts";
import { multiGet, propfind, syncReport } from "./dav-questions.ts";
import { SourceFailed } from "./failure.ts";
import { MOST_ENTRIES, openSorter, type Read, type Reading, type Sorter } from "./reading.ts";
import { tidyText } from "./tidy-text.ts";

const CARDS_AT_ONCE = 50;
const MOST_REPORTS = 1_000;
/** However well a server keeps its tokens: from time to time everything is compared. */
const COMPARE_MS = 24 * 3_600_000;

/** Cards by their path. A tag is the server's word on a card's content. */
type Listed = { tags: Map<string, string>; gone: Set<string>; isWhole: boolean; memory: Memory };

export function readAddressBook(now: () => number) {
  return async function* ({ source, web, known, readers, share }: Reading): AsyncGenerator<Incoming[], Read> {
    const dav: Dav = { web, readers, how: { share, when: "later" } };
    const book = await chooseBook(dav, source);
    const memory = source.memory.book === book ? source.memory : {};
    const listed = await list(dav, book, memory, now());
    if (!listed) return { gone: [], unreadable: [], memory };
    const { contacts, faults } = known;
    const wanted = [...listed.tags].filter(
      ([path, tag]) => tag === "" || (contacts.get(path) ?? faults.get(path)) !== tag,
    );
    const sorter = openSorter(known);
    for (let at = 0; at < wanted.length; at += CARDS_AT_ONCE) {
      const asked = new Map(wanted.slice(at, at + CARDS_AT_ONCE));
      yield await fetchCards(dav, { book, asked, sorter });
    }
    const isGone = (path: string) => (listed.isWhole ? !listed.tags.has(path) : listed.gone.has(path));
    const gone = [...new Set([...contacts.keys(), ...faults.keys()])].filter(isGone);
    return { gone, unreadable: sorter.unreadable, memory: { ...listed.memory, book } };
  };
}

/** Undefined: nothing has changed there. */
async function list(dav: Dav, book: string, memory: Memory, nowMs: number): Promise<Listed | undefined> {
  const { syncToken, ctag } = await propsOf(dav, book);
  const isFresh = Math.abs(nowMs - Number(memory.comparedAt ?? 0)) < COMPARE_MS;
  if (isFresh && memory.syncToken && syncToken !== "") {
    const changes = await changesSince(dav, book, memory);
    if (changes) return changes;
  } else if (isFresh && ctag !== "" && memory.ctag === ctag) return undefined;
  const kept = { ...(syncToken && { syncToken }), ...(ctag && { ctag }), comparedAt: String(nowMs) };
  return { tags: await allTags(dav, book), gone: new Set(), isWhole: true, memory: kept };
}

async function propsOf(dav: Dav, book: string): Promise<DavEntry> {
  const init = propfind("0", { "d:resourcetype": {}, "d:sync-token": {}, "cs:getctag": {} });
  let found: DavEntry | undefined;
  const { status } = await askDav(dav, { url: book, init }, (entry) => {
    if (entry.isBook) found ??= entry;
  });
  if (status !== 207) throw davFailure(status);
  return found ?? Promise.reject(new SourceFailed("no-address-book", book));
}

/** Asked again while the server says that it has more to tell. Undefined when it has forgotten the token. */
async function changesSince(dav: Dav, book: string, memory: Memory): Promise<Listed | undefined> {
  const tags = new Map<string, string>();
  const gone = new Set<string>();
  let token = memory.syncToken ?? "";
  for (let reports = 0; reports < MOST_REPORTS; reports++) {
    let hasMore = false;
    const { status, syncToken } = await askDav(dav, { url: book, init: syncReport(token) }, (entry) => {
      const path = pathOf(book, entry.href);
      if (path === pathOf(book, book)) hasMore ||= entry.status === 507;
      else if (entry.status === 404) gone.add(path);
      else tags.set(path, entry.tag);
      if (tags.size + gone.size > MOST_ENTRIES) throw tooMany();
    });
    if (status !== 207 || syncToken === "") return undefined;
    const isStuck = syncToken === token && hasMore;
    token = syncToken;
    if (isStuck) return undefined;
    if (!hasMore) return { tags, gone, isWhole: false, memory: { ...memory, syncToken: token } };
  }
  return undefined;
}

async function allTags(dav: Dav, book: string): Promise<Map<string, string>> {
  const tags = new Map<string, string>();
  const init = propfind("1", { "d:getetag": {}, "d:resourcetype": {} });
  const { status } = await askDav(dav, { url: book, init }, ({ href, isCollection, tag }) => {
    const path = pathOf(book, href);
    if (!isCollection && path !== pathOf(book, book)) tags.set(path, tag);
    if (tags.size > MOST_ENTRIES) throw tooMany();
  });
  if (status !== 207) throw davFailure(status);
  return tags;
}

const tooMany = () => new SourceFailed("too-many", String(MOST_ENTRIES));

type Wanted = { book: string; asked: ReadonlyMap<string, string>; sorter: Sorter };

/** A card that went away meanwhile is left to the next run; one that does not come although it is there is a failure. */
async function fetchCards(dav: Dav, { book, asked, sorter }: Wanted): Promise<Incoming[]> {
  const answered = new Set<string>();
  const page: Incoming[] = [];
  const { status } = await askDav(dav, { url: book, init: multiGet([...asked.keys()]) }, (entry) => {
    const path = pathOf(book, entry.href);
    if (!asked.has(path) || answered.has(path)) return;
    answered.add(path);
    if (entry.status === 404) return;
    const told = entry.card ?? { why: "unreadable", value: path.slice(-50) };
    const sorted = sorter.sort(path, entry.tag || (asked.get(path) ?? ""), told);
    if (sorted) page.push(sorted);
  });
  if (status !== 207) throw davFailure(status);
  if (answered.size < asked.size) throw new SourceFailed("cut-off", `${answered.size}/${asked.size}`);
  return page;
}

/** One spelling for each card, whether the server writes whole addresses or paths. */
function pathOf(book: string, href: string): string {
  return URL.canParse(href, book) ? new URL(href, book).pathname : tidyText(href);
}

/** How many cards a book has, and what the first of them say. */
export async function lookIntoBook(
  dav: Dav,
  book: string,
  most: number,
): Promise<{ entries: number; first: Incoming[] }> {
  await propsOf(dav, book);
  const tags = await allTags(dav, book);
  const asked = new Map([...tags].slice(0, most));
  const sorter = openSorter({ contacts: new Map(), faults: new Map() });
  const first = asked.size > 0 ? await fetchCards(dav, { book, asked, sorter }) : [];
  return { entries: tags.size, first };
}
