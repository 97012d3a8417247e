// What the phones of an extension have proved. Once one has answered SHA-256, whoever stands in between can make another
// answer by MD5, and call it what he likes. So an answer by MD5 counts from phones alone that got in by it before: by the
// name a phone has for ever (+sip.instance), or by its address and User-Agent. Its port is not looked at: NATs change it.

import { holderOf } from "../../../addresses.ts";
import type { Log } from "../../../log.ts";
import type { DigestAlgorithm } from "../../../sip/digest-answer.ts";
import type { Db } from "../../../store/db.ts";
import { forgetMd5Phones, type Md5Phone, readMd5Phones, saveMd5Phones } from "../../../store/md5-phones.ts";
import { readPhoneDigests } from "../../../store/phone-digests.ts";
import type { AskedPhone } from "./asked-phone.ts";
import { knowsOnlyMd5 } from "./old-phones.ts";

export type ProvedPhones = {
  /** Whether its answer by MD5 may be taken. */
  mayUseMd5(phone: AskedPhone): boolean;
  gotIn(phone: AskedPhone, algorithm: DigestAlgorithm): void;
  load(): Promise<void>;
  close(): Promise<void>;
};

/** Of one extension. One that moves all the time pushes out its own old places, since those that come again stay. */
const MOST_PLACES = 64;
const LONGEST_NAME = 120;
const ANYWHERE = "";

export async function openProvedPhones(db: Db, log: Log): Promise<ProvedPhones> {
  /** What the phones of an extension call themselves that have answered SHA-256. */
  const strong = new Map<number, Set<string>>();
  const known = new Map<number, Map<string, Md5Phone>>();
  const diary = openDiary(db, log);
  await load();
  return { mayUseMd5, gotIn, load, close: diary.written };

  function mayUseMd5(phone: AskedPhone): boolean {
    const { extensionId } = phone;
    const names = extensionId === undefined ? undefined : strong.get(extensionId);
    if (extensionId === undefined || !names) return true;
    // What says nothing, or what a hundred phones say, is nobody's name.
    const name = nameOf(phone);
    if (names.has(name) && !knowsOnlyMd5(name)) return false;
    const places = known.get(extensionId);
    return !!places && [...placesOf(phone), { place: ANYWHERE, userAgent: name }].some((it) => places.has(keyOf(it)));
  }

  function gotIn(phone: AskedPhone, algorithm: DigestAlgorithm): void {
    const { extensionId, exchangeId } = phone;
    if (extensionId === undefined || exchangeId === undefined || phone.isWeb || phone.isForHelp) return;
    const name = nameOf(phone);
    if (algorithm === "SHA-256") strengthen(extensionId, name);
    else if (strong.get(extensionId)?.has(name) && !knowsOnlyMd5(name)) return; // for as long as it may be weakened
    for (const { place, userAgent } of placesOf(phone)) {
      const it: Md5Phone = { exchangeId, extensionId, place, userAgent };
      if (algorithm === "MD5") note(it);
      else forget(it);
    }
  }

  function strengthen(extensionId: number, name: string): void {
    const names = strong.get(extensionId);
    if (names) names.add(name);
    else strong.set(extensionId, new Set([name]));
  }

  function note(it: Md5Phone): void {
    const isNew = !remembered(it);
    if (isNew) diary.note(it);
    const places = known.get(it.extensionId)!; // it has just been remembered
    for (const oldest of places.values()) {
      if (places.size <= MOST_PLACES) break;
      forget(oldest);
    }
  }

  /** Whether it was already; it is the one seen last now. */
  function remembered(it: Md5Phone): boolean {
    const places = known.get(it.extensionId) ?? new Map<string, Md5Phone>();
    known.set(it.extensionId, places);
    const wasKnown = places.delete(keyOf(it));
    places.set(keyOf(it), it);
    return wasKnown;
  }

  function forget(it: Md5Phone): void {
    if (known.get(it.extensionId)?.delete(keyOf(it))) diary.forget(it);
  }

  async function load(): Promise<void> {
    for (const digest of await readPhoneDigests(db))
      if (digest.strong) strengthen(digest.extensionId, digest.userAgent.slice(0, LONGEST_NAME));
    for (const { exchangeId, extensionId, place, userAgent } of await readMd5Phones(db))
      remembered({ exchangeId, extensionId, place: asPlace(place), userAgent });
  }
}

/** By which it is known again: requests within a call and texts do not tell its own name, so both. */
function placesOf(phone: AskedPhone): Pick<Md5Phone, "place" | "userAgent">[] {
  const there = { place: holderOf(phone.sourceAddress), userAgent: nameOf(phone) };
  const { instance } = phone;
  return instance ? [{ place: `${NAMED}${instance}`, userAgent: "" }, there] : [there];
}

/** Nobody is called by an address of somebody else: it begins otherwise. */
const NAMED = "instance ";
const asPlace = (place: string) => (place.startsWith(NAMED) ? place : holderOf(place));
const nameOf = ({ userAgent }: AskedPhone) => (userAgent ?? "").slice(0, LONGEST_NAME);
const keyOf = ({ place, userAgent }: Pick<Md5Phone, "place" | "userAgent">) => `${place} ${userAgent}`;

/** Writes down what has changed, all that came meanwhile at once. */
function openDiary(db: Db, log: Log) {
  const waiting = new Map<string, { it: Md5Phone; isKnown: boolean }>();
  let writing: Promise<void> | undefined;
  return {
    note: (it: Md5Phone) => write(it, true),
    forget: (it: Md5Phone) => write(it, false),
    written: async () => writing,
  };

  function write(it: Md5Phone, isKnown: boolean): void {
    waiting.set(`${it.extensionId} ${keyOf(it)}`, { it, isKnown });
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const all = [...waiting.values()];
      waiting.clear();
      const which = (wanted: boolean) => all.filter(({ isKnown }) => isKnown === wanted).map(({ it }) => it);
      try {
        await saveMd5Phones(db, which(true));
        await forgetMd5Phones(db, which(false));
      } catch (error) {
        log.warn({ error: (error as Error).message }, "where a phone got in by MD5 could not be kept");
      }
    }
    writing = undefined;
  }
}
