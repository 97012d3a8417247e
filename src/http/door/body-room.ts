// The room that bodies take while they come: of all, of each exchange, of all strangers and of each of their addresses.
// Strangers' bodies that do not come on lose their place, and where their room is full the one that takes longest does.

import { holderOf } from "../../addresses.ts";
import { type Cancel, type Clock, since, type Ticks } from "../../clock.ts";

/** On whose account a body is read. */
export type Share = { exchange: number } | { stranger: string };

/** Bytes that are being read, and of long ones also those that are being worked on, at the same time. */
export type BodyRoom = { all: number; exchange: number; strangers: number; stranger: number };

/** Why a body loses its place. */
export type OutOfPlace = "busy" | "slow";

/** The place of one body. */
export type Place = {
  /** False when there is none for so much more. */
  take(bytes: number): boolean;
  leave(): void;
};

export type OpenBodyRoom = { enter(share: Share, lose: (why: OutOfPlace) => void): Place };

const MEBIBYTE = 1024 * 1024;

const USUAL_ROOM: BodyRoom = {
  all: 512 * MEBIBYTE,
  exchange: 128 * MEBIBYTE,
  strangers: 64 * MEBIBYTE,
  stranger: 8 * MEBIBYTE,
};

/** A stranger's body may stand still for so long, and comes at this pace from then on: a slow line is quicker. */
const PATIENCE_MS = 20_000;
const LEAST_PER_MS = 4;
const LOOK_MS = 5_000;

type Stranger = { holder: string; since: Ticks; bytes: number; lose(why: OutOfPlace): void };
type Account = [name: string, most: number];

export function openBodyRoom(clock: Clock, room: BodyRoom = USUAL_ROOM): OpenBodyRoom {
  const held = new Map<string, number>();
  /** In the order in which they began. */
  const strangers = new Set<Stranger>();
  const whole: Account = ["all", room.all];
  let cancel: Cancel | undefined;

  return {
    enter(share, lose) {
      if ("exchange" in share) return placeOf([whole, [`exchange ${share.exchange}`, room.exchange]]);
      const holder = holderOf(share.stranger);
      return placeOfStranger({ holder, since: clock.ticks(), bytes: 0, lose });
    },
  };

  function placeOf(accounts: readonly Account[]): Place {
    let bytes = 0;
    const add = (more: number) => {
      bytes += more;
      for (const [name] of accounts) count(name, more);
    };
    return {
      take(more) {
        add(more);
        return accounts.every(fits);
      },
      leave: () => add(-bytes),
    };
  }

  function placeOfStranger(stranger: Stranger): Place {
    const own: Account = [`stranger ${stranger.holder}`, room.stranger];
    const together: Account = ["strangers", room.strangers];
    const place = placeOf([whole, together, own]);
    strangers.add(stranger);
    cancel ??= clock.after(LOOK_MS, lookForTheSlow);
    return {
      take(more) {
        stranger.bytes += more;
        if (place.take(more)) return true;
        const isOthers = (it: Stranger) => it !== stranger;
        makeRoom(own, (it) => isOthers(it) && it.holder === stranger.holder);
        makeRoom(together, isOthers);
        return [whole, together, own].every(fits);
      },
      leave() {
        strangers.delete(stranger);
        place.leave();
        if (strangers.size > 0) return;
        cancel?.();
        cancel = undefined;
      },
    };
  }

  function count(name: string, bytes: number): void {
    const together = (held.get(name) ?? 0) + bytes;
    if (together > 0) held.set(name, together);
    else held.delete(name);
  }

  function fits([name, most]: Account): boolean {
    return (held.get(name) ?? 0) <= most;
  }

  /** Whose body has been coming for longest is the slowest, or has stopped. */
  function makeRoom(account: Account, isAsked: (stranger: Stranger) => boolean): void {
    for (const stranger of strangers) {
      if (fits(account)) return;
      if (isAsked(stranger)) stranger.lose("busy");
    }
  }

  function lookForTheSlow(): void {
    for (const stranger of strangers) {
      const late = since(clock, stranger.since) - PATIENCE_MS;
      if (late >= 0 && stranger.bytes <= late * LEAST_PER_MS) stranger.lose("slow");
    }
    cancel = strangers.size > 0 ? clock.after(LOOK_MS, lookForTheSlow) : undefined;
  }
}
