// The guards that operations of every kind put in their row.

import { holderOf } from "../../addresses.ts";
import { ReadingFailed, shareOf } from "../../readers/task.ts";
import { readBody } from "../parameters/body.ts";
import { coercionTo, namesOf } from "../parameters/coerce.ts";
import { readForm } from "../parameters/form.ts";
import { sentInHead } from "../parameters/head.ts";
import { LONG, type LongNames, NO_NAMES, readBodyApart } from "../parameters/long-body.ts";
import { isUnreadable, type Sent, type Unreadable } from "../parameters/sent.ts";
import { isRefused, type RefusedAnswer, refuse } from "./answer.ts";
import type { Share } from "./body-room.ts";
import { NOBODY } from "./context.ts";
import { type Asked, andThen, type Door, type Guard, type Maybe } from "./guard.ts";
import type { GuessPool, Pool } from "./rate-limit.ts";
import { hasBody } from "./request-body.ts";

export const LONGEST_BODY = 1024 * 1024;

/**
 * The exchange's API key. One in the query is looked at before the body is read, one in a long body as soon as it has
 * come: whoever has none gets nothing of ours for a long upload.
 */
export const key: Guard = {
  knows: "key",
  refusals: [{ refused: "bad-key", key: "K12345678-1234-5678-4321-123456789012" }],
  before: ({ longestBody }, door) => {
    const open = (asked: Asked, key: string) =>
      andThen(door.keys.get(key), (tenant) => {
        if (!tenant) return guessed(door, asked, "badKey", refuse({ refused: "bad-key", key }));
        asked.tenant = tenant;
        asked.who = `${tenant.id} ${asked.address}`;
        return undefined;
      });
    return (asked) => {
      const query = queryOf(asked);
      if (isRefused(query)) return query;
      const early = keyIn(query);
      if (early !== undefined) return open(asked, early);
      return andThen(shownIn(asked, door, longestBody), (shown) => {
        if (isRefused(shown)) return shown;
        const key = keyIn(shown.sent) ?? "";
        if (!shown.isWhole)
          asked.confirm = (body) => (keyIn(body) === key ? undefined : refuse({ refused: "bad-key", key }));
        return open(asked, key);
      });
    };
  },
};

/** The ticket in the path, which the handler opens: its row says whose it is. */
export const ticket: Guard = {
  knows: "ticket",
  before: () => (asked) => {
    const query = queryOf(asked);
    asked.tenant = NOBODY;
    return isRefused(query) ? query : undefined;
  },
};

/** How often; stands behind the guard that says who. */
export function limit(pool: Pool): Guard {
  return {
    pool,
    refusals: [{ refused: "too-many", seconds: 1 }],
    before: (_, door) => (asked) => tooMany(door, pool, asked.who),
  };
}

/** Reads all that was sent: the body goes over the query, the path over both. */
export const body: Guard = {
  before: ({ longestBody, parameters }, door) => {
    const names = { contents: namesOf("content", parameters), lists: namesOf("entries", parameters) };
    const wanted = { longest: longestBody, names };
    return (asked) => {
      const query = queryOf(asked);
      if (isRefused(query)) return query;
      return andThen(bodyOf(asked, door, wanted), (body) => {
        if (isRefused(body)) return body;
        const refusal = asked.confirm?.(body);
        if (refusal) return refusal;
        for (const [name, values] of body) query.set(name, values);
        const path = asked.request.params as Record<string, string>;
        for (const name in path) query.set(name, [path[name]]);
        asked.parameters = query;
        return undefined;
      });
    };
  },
};

/** Makes of what was sent what the operation's schema promises its handler. */
export const schema: Guard = {
  before: ({ parameters }) => {
    const coerce = coercionTo(parameters);
    return (asked) => {
      const coerced = coerce(asked.parameters as Sent); // the body's guard stands before
      if ("wrong" in coerced) return refuse(coerced.wrong);
      asked.parameters = coerced.parameters;
      return undefined;
    };
  },
};

/** A URL that is not longer than this. */
export function urlUpTo(longest: number): Guard {
  return {
    before: () => (asked) =>
      (asked.request.raw.url ?? "").length > longest ? refuse({ refused: "http", status: 414 }) : undefined,
  };
}

/** Neither the answer nor a refusal is kept by a browser. */
export const unstored: Guard = {
  before: () => (asked) => {
    asked.reply.header("cache-control", "no-store");
    return undefined;
  },
};

function tooMany(door: Door, pool: Pool, who: string): RefusedAnswer | undefined {
  const waitMs = door.limit.take(pool, who);
  return waitMs <= 0 ? undefined : comeLater(waitMs);
}

/** What opened no door is counted for its address; who has tried too often is told nothing but that. */
export function guessed(
  { countGuess }: Door,
  { address }: Asked,
  pool: GuessPool,
  otherwise: RefusedAnswer,
): Maybe<RefusedAnswer> {
  return andThen(countGuess(pool, address), (waitMs) => (waitMs <= 0 ? otherwise : comeLater(waitMs)));
}

function comeLater(waitMs: number): RefusedAnswer {
  return refuse({ refused: "too-many", seconds: Math.ceil(waitMs / 1_000) });
}

function keyIn(sent: Sent): string | undefined {
  const key = sent.get("key")?.findLast((value) => value !== "" && value !== null);
  return key === undefined ? undefined : String(key);
}

export function queryOf(asked: Asked): Sent | RefusedAnswer {
  if (asked.query) return asked.query;
  const query = readForm(asked.request.arrived.query);
  if (isUnreadable(query)) return refuse({ refused: "unreadable", what: query.unreadable });
  asked.query = query;
  return query;
}

const NOTHING: Sent = new Map();

/** What a body says by its beginning, or as a whole where it is no longer than that. */
export type Shown = { sent: Sent; isWhole: boolean };

/** For whoever looks for the sender in it: no more is read than it takes, and nothing long is made sense of. */
export function shownIn(asked: Asked, door: Door, longest = LONGEST_BODY): Maybe<Shown | RefusedAnswer> {
  const { request, address } = asked;
  if (asked.body || !hasBody(request.raw)) return { sent: asked.body ?? NOTHING, isWhole: true };
  const enough = Math.min(door.shownWithin, longest);
  return asked.limit.hold(door.bodies.begin(request.raw, enough, { stranger: address })).then((begun) => {
    if ("failed" in begun) return bodyFailures[begun.failed];
    if ("head" in begun) return { sent: sentInHead(begun.head, request.arrived.contentType), isWhole: false };
    return andThen(readSent(asked, door, begun.whole), (sent) => (isRefused(sent) ? sent : { sent, isWhole: true }));
  });
}

function bodyOf(
  asked: Asked,
  door: Door,
  { longest = LONGEST_BODY, names }: { longest: number | undefined; names: LongNames },
): Maybe<Sent | RefusedAnswer> {
  const { bodies, shownWithin } = door;
  const { request, tenant, address } = asked;
  if (asked.body || !hasBody(request.raw)) return asked.body ?? NOTHING;
  const isKnown = tenant.id !== NOBODY.id;
  const share: Share = isKnown ? { exchange: tenant.id } : { stranger: address };
  const most = isKnown ? longest : Math.min(longest, shownWithin);
  return asked.limit
    .hold(bodies.read(request.raw, most, share))
    .then((read) => ("failed" in read ? bodyFailures[read.failed] : readSent(asked, door, read.body, names)));
}

function readSent(asked: Asked, door: Door, bytes: Buffer, names: LongNames = NO_NAMES): Maybe<Sent | RefusedAnswer> {
  const { contentType } = asked.request.arrived;
  const { buffer, byteOffset, length } = bytes;
  const keep = (sent: Sent | Unreadable) => {
    if (isUnreadable(sent)) return refuse({ refused: "unreadable", what: sent.unreadable });
    asked.body = sent;
    return sent;
  };
  if (length <= LONG || !(buffer instanceof ArrayBuffer))
    return keep(length === 0 ? NOTHING : readBody(bytes, contentType));
  const given = { bytes: new Uint8Array(buffer, byteOffset, length), contentType, ...names };
  const { tenant, address } = asked;
  const how = { share: tenant.id === NOBODY.id ? holderOf(address) : shareOf(tenant.id), when: "now" } as const;
  return asked.limit.hold(readBodyApart(door.services.readers, given, how)).then(keep, (error: unknown) => {
    if (error instanceof ReadingFailed) return readingFailures[error.why];
    throw error;
  });
}

const bodyFailures = {
  "too-large": refuse({ refused: "http", status: 413 }),
  gone: refuse({ refused: "http", status: 400 }),
  busy: refuse({ refused: "busy", seconds: 5 }),
  slow: refuse({ refused: "http", status: 408 }),
};

const readingFailures = {
  "too-much": bodyFailures["too-large"],
  "no-turn": comeLater(5_000),
  busy: bodyFailures.busy,
};
