// An address book as a source of contacts: what changed since last time is asked for where the server can tell, and found
// by comparing tags where it cannot; only cards that are new or have changed are fetched.

import { addressBookMultiGet, type DAVResponse } from "tsdav";
import type { Incoming } from "../store/contact-pages.ts";
import type { Memory } from "../store/contact-runs.ts";
import { chooseBook, propfind, syncReport } from "./address-books.ts";
import { contactOnCard } from "./card-contact.ts";
import { askDav, davFailure, davText } from "./dav.ts";
import { SourceFailed } from "./failure.ts";
import { asFetch, type Web } from "./guarded-fetch.ts";
import { MOST_ENTRIES, openSorter, type Read, type Reading, type Sorter, turn } from "./reading.ts";
import { tidyText } from "./tidy-text.ts";
import { readCards } from "./vcard.ts";

const CARDS_AT_ONCE = 50;
const MOST_REPORTS = 1_000;
/** However well a server keeps its tokens: from time to time everything is compared. */
const COMPARE_MS = 24 * 3_600_000;

/** Cards by their path. A tag is the server's word on a card's content. */
type Listed = { tags: Map<string, string>; gone: Set<string>; isWhole: boolean; memory: Memory };

export function readAddressBook(now: () => number) {
  return async function* ({ source, web, known }: Reading): AsyncGenerator<Incoming[], Read> {
    const book = await chooseBook(web, source);
    const memory = source.memory.book === book ? source.memory : {};
    const listed = await list(web, book, memory, now());
    if (!listed) return { gone: [], unreadable: [], memory };
    const { contacts, faults } = known;
    const wanted = [...listed.tags].filter(
      ([path, tag]) => tag === "" || (contacts.get(path) ?? faults.get(path)) !== tag,
    );
    const sorter = openSorter(known);
    for (let at = 0; at < wanted.length; at += CARDS_AT_ONCE) {
      const asked = new Map(wanted.slice(at, at + CARDS_AT_ONCE));
      yield await fetchCards(web, { book, asked, sorter });
      await turn();
    }
    const isGone = (path: string) => (listed.isWhole ? !listed.tags.has(path) : listed.gone.has(path));
    const gone = [...new Set([...contacts.keys(), ...faults.keys()])].filter(isGone);
    return { gone, unreadable: sorter.unreadable, memory: { ...listed.memory, book } };
  };
}

/** Undefined: nothing has changed there. */
async function list(web: Web, book: string, memory: Memory, nowMs: number): Promise<Listed | undefined> {
  const props = await propsOf(web, book);
  const [syncToken, ctag] = [davText(props.syncToken), davText(props.getctag)];
  const isFresh = Math.abs(nowMs - Number(memory.comparedAt ?? 0)) < COMPARE_MS;
  if (isFresh && memory.syncToken && syncToken !== "") {
    const changes = await changesSince(web, book, memory);
    if (changes) return changes;
  } else if (isFresh && ctag !== "" && memory.ctag === ctag) return undefined;
  const kept = { ...(syncToken && { syncToken }), ...(ctag && { ctag }), comparedAt: String(nowMs) };
  return { tags: await allTags(web, book), gone: new Set(), isWhole: true, memory: kept };
}

async function propsOf(web: Web, book: string): Promise<Record<string, unknown>> {
  const wanted = { "d:resourcetype": {}, "d:sync-token": {}, "cs:getctag": {} };
  const { status, responses } = await askDav(web, book, propfind("0", wanted));
  if (status !== 207) throw davFailure(status);
  for await (const slice of responses)
    for (const { props } of slice)
      if (Object.keys(props?.resourcetype ?? {}).includes("addressbook")) return props ?? {};
  throw new SourceFailed("no-address-book", book);
}

/** Asked again while the server says that it has more to tell. Undefined when it has forgotten the token. */
async function changesSince(web: Web, book: string, memory: Memory): Promise<Listed | undefined> {
  const tags = new Map<string, string>();
  const gone = new Set<string>();
  let token = memory.syncToken ?? "";
  for (let reports = 0; reports < MOST_REPORTS; reports++) {
    const { status, syncToken, responses } = await askDav(web, book, syncReport(token));
    if (status !== 207 || syncToken === "") return undefined;
    let hasMore = false;
    for await (const slice of responses)
      for (const { href, status, props } of slice) {
        const path = pathOf(book, davText(href));
        if (path === pathOf(book, book)) hasMore ||= status === 507;
        else if (status === 404) gone.add(path);
        else tags.set(path, davText(props?.getetag));
      }
    const isStuck = syncToken === token && hasMore;
    token = syncToken;
    if (isStuck) return undefined;
    if (!hasMore) return { tags, gone, isWhole: false, memory: { ...memory, syncToken: token } };
  }
  return undefined;
}

async function allTags(web: Web, book: string): Promise<Map<string, string>> {
  const tags = new Map<string, string>();
  const { status, responses } = await askDav(web, book, propfind("1", { "d:getetag": {}, "d:resourcetype": {} }));
  if (status !== 207) throw davFailure(status);
  for await (const slice of responses)
    for (const { href, props } of slice) {
      const path = pathOf(book, davText(href));
      const isCollection = Object.keys(props?.resourcetype ?? {}).includes("collection");
      if (!isCollection && path !== pathOf(book, book)) tags.set(path, davText(props?.getetag));
      if (tags.size > MOST_ENTRIES) throw new SourceFailed("too-many", String(MOST_ENTRIES));
    }
  return tags;
}

type Wanted = { book: string; asked: ReadonlyMap<string, string>; sorter: Sorter };

/** A card that went away meanwhile is left to the next run; one that does not come although it is there is a failure. */
async function fetchCards(web: Web, { book, asked, sorter }: Wanted): Promise<Incoming[]> {
  const props = { "d:getetag": {}, "card:address-data": {} };
  const responses = await addressBookMultiGet({
    url: book,
    props,
    depth: "0",
    objectUrls: [...asked.keys()],
    fetch: asFetch(web),
  });
  const [first] = responses;
  if (first && first.href === undefined) throw davFailure(first.status);
  const answered = new Set<string>();
  const page = responses.flatMap((response) => {
    const path = pathOf(book, davText(response.href));
    if (!asked.has(path) || answered.has(path)) return [];
    answered.add(path);
    return response.status === 404 ? [] : (sortCard(sorter, { path, tag: asked.get(path) ?? "" }, response) ?? []);
  });
  if (answered.size < asked.size) throw new SourceFailed("cut-off", `${answered.size}/${asked.size}`);
  return page;
}

function sortCard(
  sorter: Sorter,
  { path, tag }: { path: string; tag: string },
  { props }: DAVResponse,
): Incoming | undefined {
  const [card] = readCards(davText(props?.addressData));
  const told = card ? contactOnCard(card) : ({ why: "unreadable", value: path.slice(-50) } as const);
  return sorter.sort(path, davText(props?.getetag) || tag, told);
}

/** One spelling for each card, whether the server writes whole addresses or paths. */
function pathOf(book: string, href: string): string {
  return URL.canParse(href, book) ? new URL(href, book).pathname : tidyText(href);
}

/** How many cards a book has, and what the first of them say. */
export async function lookIntoBook(
  web: Web,
  book: string,
  most: number,
): Promise<{ entries: number; first: Incoming[] }> {
  await propsOf(web, book);
  const tags = await allTags(web, book);
  const asked = new Map([...tags].slice(0, most));
  const sorter = openSorter({ contacts: new Map(), faults: new Map() });
  const first = asked.size > 0 ? await fetchCards(web, { book, asked, sorter }) : [];
  return { entries: tags.size, first };
}
