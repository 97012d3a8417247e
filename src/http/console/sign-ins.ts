// Looks at passwords, one address not too often and few at the same time: each look costs time and memory.

import { holderOf } from "../../addresses.ts";
import type { Clock } from "../../clock.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Db } from "../../store/db.ts";
import { type Credentials, type SignedIn, type SignInRefusal, signIn } from "../../store/staff-sign-in.ts";
import type { CountGuess, GuessPool } from "../door/rate-limit.ts";
import { isStorable } from "../parameters/text.ts";

/** Each look takes a tenth of a second, 64 MB and one of the few threads that files and names wait for as well. */
const MOST_AT_ONCE = 3;
/** Of one address: a place is left for everybody else. */
const MOST_OF_ONE = 2;

export type SignIn = (
  credentials: Credentials,
  address: string,
) => Promise<SignedIn | SignInRefusal | { refused: "too-many"; seconds: number }>;

/** Where passwords are looked at, whichever door they are shown at. */
export type Places = { take(holder: string): (() => void) | undefined };

export function openPlaces(): Places {
  const taken: string[] = [];
  return {
    take(holder) {
      const own = taken.filter((it) => it === holder).length;
      if (taken.length >= MOST_AT_ONCE || own >= MOST_OF_ONE) return undefined;
      taken.push(holder);
      return () => void taken.splice(taken.indexOf(holder), 1);
    },
  };
}

export type SignInsParts = {
  db: Db;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  countGuess: CountGuess;
  places?: Places;
};

/** `pool`: out of which the tries of an address are counted. */
export function openSignIns(parts: SignInsParts, pool: GuessPool): SignIn {
  const { db, secrets, clock, countGuess, places = openPlaces() } = parts;
  return async (credentials, address) => {
    const waitMs = await countGuess(pool, address);
    if (waitMs > 0) return { refused: "too-many", seconds: Math.ceil(waitMs / 1_000) };
    const leave = places.take(holderOf(address));
    if (!leave) return { refused: "too-many", seconds: 1 };
    try {
      const email = isStorable(credentials.email) ? credentials.email : "";
      return await signIn(db, secrets, { ...credentials, email, address }, clock.wall());
    } finally {
      leave();
    }
  };
}
