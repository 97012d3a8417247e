// What a WebDAV server answered, made sense of in a thread of its own: the library that reads the XML takes half a minute
// for a megabyte that was made for it.

import type { DAVResponse } from "tsdav";
import type { Task } from "../readers/task.ts";
import type { ForeignContact, ForeignFault } from "../store/contact-pages.ts";
import { contactOnCard } from "./card-contact.ts";
import { SourceFailed, type SourceFailure } from "./failure.ts";
import { tidyText } from "./tidy-text.ts";
import { readCards } from "./vcard.ts";

/** One thing that the server tells of; what it does not tell is empty. */
export type DavEntry = {
  href: string;
  status: number;
  isBook: boolean;
  isCollection: boolean;
  /** The server's word on the content. */
  tag: string;
  syncToken: string;
  ctag: string;
  name: string;
  /** Where it says that the person who asks is kept, and where his books are. */
  principal: string;
  home: string;
  /** Undefined: none, or none that can be read. */
  card: ForeignContact | ForeignFault | undefined;
};

export type DavPiece =
  | { entries: DavEntry[] }
  /** What to ask with next time (RFC 6578), where the server says it. */
  | { syncToken: string }
  | { failed: SourceFailure };

/** It reads XML in one go. */
const RESPONSES_A_SLICE = 500;
const ENTRIES_AT_ONCE = 100;
const LONGEST_PATH = 2_000;
const LONGEST_WORD = 500;

export const readDavAnswer: Task<{ bytes: Uint8Array }, DavPiece> = {
  name: "dav",
  async *read({ bytes }) {
    try {
      const text = new TextDecoder().decode(bytes);
      yield { syncToken: tokenIn(text.slice(-10_000)) };
      for (const slice of slicesOf(text)) {
        const entries = (await responsesIn(slice)).map(entryOf);
        for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE)
          yield { entries: entries.slice(at, at + ENTRIES_AT_ONCE) };
      }
    } catch (error) {
      if (!(error instanceof SourceFailed)) throw error;
      yield { failed: error.failure };
    }
  },
};

async function responsesIn(slice: string): Promise<DAVResponse[]> {
  const { davRequest } = await import("tsdav"); // in a thread that has no such answer nobody waits for it
  const answer = async () => new Response(slice, { status: 207, headers: { "content-type": "text/xml" } });
  const init = { method: "PROPFIND", headers: {}, body: null } as const;
  const responses = await davRequest({ url: "", init, fetch: answer }).catch((error: unknown) => {
    throw new SourceFailed("bad-answer", String(error)); // the library stumbles over what it does not expect
  });
  if (responses.some(({ raw }) => typeof raw === "string")) throw new SourceFailed("bad-answer", "XML");
  return responses.filter(({ href }) => href !== undefined);
}

function entryOf({ href, status, props }: DAVResponse): DavEntry {
  const kinds = typeof props?.resourcetype === "object" ? Object.keys(props.resourcetype ?? {}) : [];
  const [card] = readCards(davText(props?.addressData));
  return {
    href: davText(href).slice(0, LONGEST_PATH),
    status,
    isBook: kinds.includes("addressbook"),
    isCollection: kinds.includes("collection"),
    tag: word(props?.getetag),
    syncToken: word(props?.syncToken),
    ctag: word(props?.getctag),
    name: word(props?.displayname),
    principal: hrefIn(props?.currentUserPrincipal),
    home: hrefIn(props?.addressbookHomeSet),
    card: card && contactOnCard(card),
  };
}

const word = (value: unknown): string => davText(value).slice(0, LONGEST_WORD);

/** The first of them. */
function hrefIn(value: unknown): string {
  const { href } = (typeof value === "object" && value !== null ? value : {}) as { href?: unknown };
  return davText(Array.isArray(href) ? href[0] : href).slice(0, LONGEST_PATH);
}

/** As text: the library may have made a number of it, or kept it apart as CDATA. */
function davText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  const inside = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return typeof inside._cdata === "string" ? inside._cdata : typeof inside._text === "string" ? inside._text : "";
}

/** Each a whole document of its own, under the heading and the namespaces of the long one. */
function* slicesOf(text: string): Generator<string> {
  const root = /<(?:[\w.-]+:)?multistatus\b[^<>]*>/i.exec(text.slice(0, 10_000));
  const name = /^<([\w.:-]+)/.exec(root?.[0] ?? "")?.[1];
  const end = name === undefined ? -1 : text.lastIndexOf(`</${name}`);
  // A book without anything in it may close its only element at once.
  if (root?.[0].endsWith("/>")) return;
  if (!root || end < 0) throw new SourceFailed("cut-off", String(text.length));
  const prefix = /^([\w.-]+:)?/.exec(name ?? "")?.[0] ?? "";
  const heading = text.slice(0, root.index + root[0].length);
  const ends = new RegExp(`</(?:${prefix.replace(".", "\\.")}|[\\w.-]+:)?response\\s*>`, "gi");
  ends.lastIndex = heading.length;
  for (let from = heading.length; from < end; ) {
    let to = end;
    for (let count = 0; count < RESPONSES_A_SLICE; count++) {
      const found = ends.exec(text);
      to = found && found.index < end ? ends.lastIndex : end;
      if (to === end) break;
    }
    yield `${heading}${text.slice(from, to)}</${name}>`;
    from = to;
  }
}

/** Taken from the text: the library makes a number of one that looks like it. */
function tokenIn(ending: string): string {
  const token = /<(?:[\w.-]+:)?sync-token[^<>]*>([^<]*)</.exec(ending)?.[1] ?? "";
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return tidyText(token).replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
