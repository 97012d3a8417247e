// What phones say of their owners (PUBLISH of the presence package, RFC 3903): kept for as long as they say, over a
// restart as well, and shown to whoever watches.

import { type Clock, momentOf, stampOf, type Ticks, within } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import { eventOf } from "../../../sip/headers/event.ts";
import { newTag, type Random } from "../../../sip/headers/random.ts";
import { expiresOf } from "../../../sip/headers/seconds.ts";
import { tokenList } from "../../../sip/headers/token-lists.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { headerOf } from "../../../sip/message/message.ts";
import { userIn } from "../../../sip/message/uri.ts";
import type { Db } from "../../../store/db.ts";
import { livePublications, savePublications } from "../../../store/phone-publications.ts";
import type { HomeExtension } from "../registrar/directory.ts";
import type { Authenticate } from "../registrar/login.ts";
import { type Pidf, readPidf } from "./pidf.ts";

export type Publications = {
  /** Takes a PUBLISH and answers it. */
  publish(incoming: Incoming): void;
  /** What the last of an extension's phones said that still holds. */
  of(exchangeId: number, extension: string): Pidf | undefined;
  /** What phones of exchanges have said that live here from now on. */
  load(exchangeIds: readonly number[]): Promise<void>;
  /** Kept once all is written. */
  close(): Promise<void>;
};

export type PublicationsParts = {
  db: Db;
  log: Log;
  clock: Clock;
  random: Random;
  authenticate: Authenticate;
  changed(exchangeId: number, extension: string): void;
};

type Publication = { tag: string; expires: Ticks; said: Pidf };

const SECONDS = { least: 60, most: 3_600 };
/** One a phone, and some that were forgotten. */
const MOST_PER_EXTENSION = 10;
const SWEEP_MS = 5_000;

export async function openPublications(parts: PublicationsParts): Promise<Publications> {
  const { db, log, clock, random, authenticate, changed } = parts;
  /** By exchange and extension, the newest last. */
  const published = await recall(db, clock);
  const writer = openWriter({ db, clock, log });
  let cancel = clock.after(SWEEP_MS, sweep);
  return {
    publish,
    of,
    async load(exchangeIds) {
      for (const [key, all] of await recall(db, clock))
        if (exchangeIds.includes(Number(key.split(" ")[0]))) keep(key, all);
    },
    close() {
      cancel();
      return writer.written();
    },
  };

  function of(exchangeId: number, extension: string): Pidf | undefined {
    const now = clock.ticks();
    return published.get(keyOf(exchangeId, extension))?.findLast(({ expires }) => expires > now)?.said;
  }

  function publish(incoming: Incoming): void {
    const login = authenticate(incoming);
    if (!("extension" in login)) return;
    const { request } = incoming;
    const event = eventOf(request);
    const seconds = secondsIn(incoming);
    if (event === undefined || isMalformed(event) || event.package !== "presence")
      incoming.reply(489, { headers: [tokenList("Allow-Events", ["presence"])] });
    else if (userIn(request.uri) !== login.extension.number) incoming.reply(403);
    else if (seconds > 0 && seconds < SECONDS.least)
      incoming.reply(423, { headers: [{ name: "Min-Expires", value: String(SECONDS.least) }] });
    else take(incoming, login.extension, seconds);
  }

  function take(incoming: Incoming, { exchangeId, number }: HomeExtension, seconds: number): void {
    const { request } = incoming;
    const key = keyOf(exchangeId, number);
    const match = headerOf(request, "SIP-If-Match")?.trim();
    const others = (published.get(key) ?? []).filter(({ tag }) => tag !== match);
    const old = published.get(key)?.find(({ tag, expires }) => tag === match && expires > clock.ticks());
    if (match !== undefined && !old) return void incoming.reply(412);
    const said = request.body === "" ? old?.said : readPidf(request.body);
    if (!said) return void incoming.reply(400, { reason: "No Presence Document" });
    const tag = newTag(random);
    const renewed = seconds === 0 ? [] : [{ tag, expires: within(clock, seconds * 1_000), said }];
    keep(key, [...others, ...renewed].slice(-MOST_PER_EXTENSION));
    writer.write({ exchangeId, number, publications: published.get(key) ?? [] });
    const headers = [
      { name: "Expires", value: String(seconds) },
      { name: "SIP-ETag", value: tag },
    ];
    incoming.reply(200, { headers });
    changed(exchangeId, number);
  }

  function keep(key: string, publications: Publication[]): void {
    if (publications.length > 0) published.set(key, publications);
    else published.delete(key);
  }

  function sweep(): void {
    cancel = clock.after(SWEEP_MS, sweep);
    const now = clock.ticks();
    for (const [key, all] of published) {
      const left = all.filter(({ expires }) => expires > now);
      if (left.length === all.length) continue;
      keep(key, left);
      const [exchangeId = "", extension = ""] = key.split(" ");
      changed(Number(exchangeId), extension);
    }
  }
}

type Written = { exchangeId: number; number: string; publications: readonly Publication[] };

/** One after the other, and nobody waits for it. What has run out goes with the next that is written, and is never read. */
function openWriter({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  let writing = Promise.resolve();
  return {
    write({ exchangeId, number, publications }: Written): void {
      const rows = publications.map(({ tag, expires, said }) => ({
        tag,
        expiresAtMs: stampOf(clock, expires),
        ...said,
      }));
      writing = writing
        .then(() => savePublications(db, { exchangeId, number, publications: rows }))
        .catch((error: Error) => log.warn({ error: error.message }, "what a phone published could not be kept"));
    },
    written: () => writing,
  };
}

async function recall(db: Db, clock: Clock): Promise<Map<string, Publication[]>> {
  const published = new Map<string, Publication[]>();
  for (const { exchangeId, number, tag, expiresAtMs, isOpen, note } of await livePublications(db, clock.wall())) {
    const key = keyOf(exchangeId, number);
    published.set(key, [
      ...(published.get(key) ?? []),
      { tag, expires: momentOf(clock, expiresAtMs), said: { isOpen, note } },
    ]);
  }
  return published;
}

function secondsIn({ request }: Incoming): number {
  const asked = expiresOf(request);
  return asked === undefined || isMalformed(asked) ? SECONDS.most : Math.min(asked, SECONDS.most);
}

const keyOf = (exchangeId: number, extension: string) => `${exchangeId} ${extension}`;
