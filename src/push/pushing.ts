// Tells somebody's browsers through the push services of their makers. Whoever has something to tell never waits for
// it: what cannot be told soon is dropped.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import { dropSubscription, readPushKey, type Subscription, subscriptionsOf } from "../store/push.ts";
import type { Requester } from "../webhooks/requester.ts";
import { encryptFor } from "./encrypt.ts";
import type { CallNote, PushNote } from "./note.ts";
import { authorizationFor } from "./vapid.ts";

export type Line = { exchangeId: number; extension: string };

export type Pushing = {
  /** Kept with how many browsers there are, once they have been told or not; those of one line in order. */
  tell(line: Line, note: CallNote): Promise<number>;
  close(): Promise<void>;
};

export type PushingParts = {
  db: Db;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  log: Log;
  requester: Requester;
  /** Where a push service finds whoever runs this. */
  contact: string;
};

/** Somebody who is called waits for it. */
const LIMIT_MS = 5_000;
/** How long a service keeps it for a browser that is not there. */
const KEPT_SECONDS: Record<CallNote["is"], number> = {
  ringing: 30,
  missed: 86_400,
  message: 86_400,
  answered: 30,
};
/** Notes under way and waiting, of all exchanges; and of one, so that no exchange takes the room of the others. */
const MOST_WAITING = 500;
const MOST_OF_ONE = 50;
/** Of strangers' texts. The note has to fit into its padding. */
const LONGEST_NAME = 100;
/** The service knows this browser no more (RFC 8030, 7.3). */
const GONE = [404, 410];

export function openPushing(parts: PushingParts): Pushing {
  const { log } = parts;
  const waiting = new Map<number, number>();
  const lanes = new Map<string, Promise<unknown>>();
  const ends = new AbortController();
  let all = 0;
  return {
    tell(line, note) {
      const { exchangeId, extension } = line;
      const own = waiting.get(exchangeId) ?? 0;
      if (ends.signal.aborted || all >= MOST_WAITING || own >= MOST_OF_ONE) return Promise.resolve(0);
      all++;
      waiting.set(exchangeId, own + 1);
      const lane = `${exchangeId} ${extension}`;
      const told = (lanes.get(lane) ?? Promise.resolve())
        .then(() => tellAll(parts, line, note, ends.signal))
        .catch((error: unknown) => {
          log.warn({ exchangeId, extension, error: String(error) }, "no browser could be told of a call");
          return 0;
        })
        .finally(() => {
          all--;
          const left = (waiting.get(exchangeId) ?? 1) - 1;
          if (left > 0) waiting.set(exchangeId, left);
          else waiting.delete(exchangeId);
          if (lanes.get(lane) === told) lanes.delete(lane);
        });
      lanes.set(lane, told);
      return told;
    },
    async close() {
      ends.abort();
      await Promise.all(lanes.values());
    },
  };
}

async function tellAll(parts: PushingParts, line: Line, note: CallNote, signal: AbortSignal): Promise<number> {
  const { db, secrets, clock } = parts;
  if (signal.aborted) return 0;
  const browsers = await subscriptionsOf(db, secrets, { ...line, nowMs: clock.wall() });
  if (browsers.length === 0) return 0;
  const privateKey = await readPushKey(db, secrets, line.exchangeId);
  if (privateKey === undefined) return 0;
  const told = await Promise.all(
    browsers.map((browser) => tellOne(parts, { line, note, browser, privateKey, signal })),
  );
  return told.filter((it) => it).length;
}

type Letter = { line: Line; note: CallNote; browser: Subscription; privateKey: string; signal: AbortSignal };

async function tellOne(parts: PushingParts, { line, note, browser, privateKey, signal }: Letter): Promise<boolean> {
  const { requester, clock, log, db, contact } = parts;
  const url = isEndpoint(browser.endpoint) ? new URL(browser.endpoint) : undefined;
  const bytes = encryptFor(keysOf(browser), JSON.stringify(asTold(note, browser)));
  if (!url || !bytes) return false;
  const answer = await requester.ask(browser.endpoint, {
    method: "POST",
    headers: {
      Authorization: authorizationFor(url, { privateKey, contact, nowMs: clock.wall() }),
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "aes128gcm",
      TTL: String(KEPT_SECONDS[note.is]),
      Urgency: note.is === "ringing" ? "high" : "normal",
      // What comes later about the same call takes the place of what was not delivered (RFC 8030, 5.4).
      Topic: note.call.replaceAll("-", ""),
    },
    bytes,
    limitMs: LIMIT_MS,
    signal,
  });
  const at = { exchangeId: line.exchangeId, extension: line.extension, service: url.host };
  // Its path is as good as a key to the browser, and stands in no log.
  if ("failed" in answer) log.info({ ...at, why: answer.why }, "a push service was not reached");
  else if (GONE.includes(answer.status)) await dropSubscription(db, { exchangeId: line.exchangeId, id: browser.id });
  else if (answer.status >= 300) log.info({ ...at, status: answer.status }, "a push service refused");
  return "status" in answer && answer.status < 300;
}

/** Only by TLS: a push service is nothing else. Where it leads is looked at when it is called, as with webhooks. */
export function isEndpoint(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

export function keysOf({ p256dh, auth }: { p256dh: string; auth: string }) {
  return { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
}

function asTold({ is, call, number, name }: CallNote, { language }: Subscription): PushNote {
  return { is, call, number: number.slice(0, LONGEST_NAME), name: name.slice(0, LONGEST_NAME), language };
}
