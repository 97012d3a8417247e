// Reads a request's body within bounds: as much as it takes to learn whose it is, and then the rest of it, each on the
// account of whoever sends it, so that nobody takes the room of others.

import type { IncomingMessage } from "node:http";
import type { Clock } from "../../clock.ts";
import { turn } from "../../in-turns.ts";
import {
  type BodyRoom,
  type OpenBodyRoom,
  type OutOfPlace,
  openBodyRoom,
  type Place,
  type Share,
} from "./body-room.ts";

export type BodyFailure = { failed: "too-large" | "gone" | OutOfPlace };
export type BodyRead = { body: Buffer } | BodyFailure;
/** `head`: there is more, which waits with its sender. */
export type BodyBegun = { whole: Buffer } | { head: Buffer } | BodyFailure;

export type RequestBodies = {
  read(request: IncomingMessage, most: number, share: Share): Promise<BodyRead>;
  /** The beginning of one; whoever reads it later reads it from there. */
  begin(request: IncomingMessage, enough: number, share: Share): Promise<BodyBegun>;
  /** What was asked is done: until then a long body counts, since it may wait in a line with all its bytes. */
  done(request: IncomingMessage): void;
};

/** What is longer is gathered in one place. */
const LONG = 256 * 1024;
const NONE = Buffer.alloc(0);
const kept = Symbol("what was read of it before");
type Read = IncomingMessage & { [kept]?: BodyRead };
const awaited = new WeakMap<IncomingMessage, () => void>();

export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    (headers["content-length"] !== undefined && headers["content-length"] !== "0")
  );
}

/** It is sent once somebody wants it (`Expect: 100-continue`). */
export function sendsWhenAsked(request: IncomingMessage, ask: () => void): void {
  awaited.set(request, ask);
}

/** Before the body is read by whatever means. */
export function askForBody(request: IncomingMessage): void {
  awaited.get(request)?.();
  awaited.delete(request);
}

/** What is still to come, as far as its sender says. */
export function isLongUnread(request: IncomingMessage, most: number): boolean {
  if (!hasBody(request) || request.complete) return false;
  const length = request.headers["content-length"];
  return length === undefined || Number(length) > most;
}

type Gathering = { enough: number; whenFull: "stop" | "refuse"; share: Share };

export function requestBodies(clock: Clock, bounds?: BodyRoom): RequestBodies {
  const room = openBodyRoom(clock, bounds);
  const held = new WeakMap<IncomingMessage, Place>();

  return {
    async read(request: Read, most, share) {
      if (!hasBody(request)) return { body: NONE };
      const before = request[kept];
      if (before) return "body" in before && before.body.length > most ? { failed: "too-large" } : before;
      if (Number(request.headers["content-length"] ?? 0) > most) return { failed: "too-large" };
      const read = await gather(room, request, { enough: most, whenFull: "refuse", share });
      if ("whole" in read && read.whole.length > LONG && "exchange" in share) hold(request, share, read.whole.length);
      return "whole" in read ? { body: read.whole } : "head" in read ? { failed: "too-large" } : read;
    },
    async begin(request: Read, enough, share) {
      if (!hasBody(request)) return { whole: NONE };
      const before = request[kept];
      if (before) return "body" in before ? { whole: before.body } : before;
      const read = await gather(room, request, { enough, whenFull: "stop", share });
      if (!("head" in read)) request[kept] = "whole" in read ? { body: read.whole } : read;
      return read;
    },
    done(request) {
      const place = held.get(request);
      if (!place) return;
      place.leave();
      held.delete(request);
    },
  };

  function hold(request: IncomingMessage, share: Share, bytes: number): void {
    const place = room.enter(share, () => undefined);
    place.take(bytes);
    held.set(request, place);
  }
}

/** Most bodies have come as soon as whatever else came with them has been read: nobody need listen for those. */
async function gather(room: OpenBodyRoom, request: IncomingMessage, how: Gathering): Promise<BodyBegun> {
  await turn();
  if (!request.complete || request.destroyed || request.readableLength > how.enough)
    return gatherAsItComes(room, request, how);
  return { whole: (request.read() as Buffer | null) ?? NONE };
}

function gatherAsItComes(
  room: OpenBodyRoom,
  request: IncomingMessage,
  { enough, whenFull, share }: Gathering,
): Promise<BodyBegun> {
  return new Promise((settle) => {
    const parts: Buffer[] = [];
    let size = 0;
    let long: Buffer<ArrayBuffer> | undefined;
    const keep = (part: Buffer) => {
      if (!long) parts.push(part);
      if (size <= LONG || whenFull === "stop") return;
      // What is copied as it comes need not be copied at the end; memory that is not written to takes none.
      if (!long) {
        const said = Number(request.headers["content-length"] ?? enough);
        long = Buffer.from(new ArrayBuffer(Math.min(said, enough)));
        Buffer.concat(parts.splice(0)).copy(long);
      } else part.copy(long, size - part.length);
    };
    const all = () => long?.subarray(0, size) ?? (parts.length === 1 ? parts[0]! : Buffer.concat(parts)); // the only one
    const finish = (read: BodyBegun) => {
      place.leave();
      request.off("data", hear).off("end", end).off("error", leave).off("close", leave);
      settle(read);
    };
    const hear = (part: Buffer) => {
      size += part.length;
      if (whenFull === "stop" || size <= enough) keep(part);
      if (!place.take(part.length)) finish({ failed: "busy" });
      else if (size > enough && whenFull === "refuse") finish({ failed: "too-large" });
      else if (size > enough) {
        const head = all();
        request.pause();
        request.unshift(head);
        finish({ head });
      }
    };
    const end = () => finish({ whole: all() });
    const leave = () => finish({ failed: "gone" });
    const place = room.enter(share, (failed) => finish({ failed }));
    request.on("data", hear).once("end", end).once("error", leave).once("close", leave);
    askForBody(request);
    if (request.destroyed) leave();
    else request.resume();
  });
}
