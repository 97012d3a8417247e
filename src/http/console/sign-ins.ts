// Looks at passwords, one address not too often and few at the same time: each look costs time and memory.

import type { Clock } from "../../clock.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Db } from "../../store/db.ts";
import { type Credentials, type SignedIn, type SignInRefusal, signIn } from "../../store/staff-sign-in.ts";
import type { CountGuess, GuessPool } from "../door/rate-limit.ts";
import { isStorable } from "../parameters/text.ts";

/** Each look takes a tenth of a second and 64 MB. */
const MOST_AT_ONCE = 2;

export type SignIn = (
  credentials: Credentials,
  address: string,
) => Promise<SignedIn | SignInRefusal | { refused: "too-many"; seconds: number }>;

export type SignInsParts = { db: Db; secrets: Pick<Secrets, "open">; clock: Clock; countGuess: CountGuess };

/** `pool`: out of which the tries of an address are counted. */
export function openSignIns({ db, secrets, clock, countGuess }: SignInsParts, pool: GuessPool): SignIn {
  let looking = 0;
  return async (credentials, address) => {
    const waitMs = await countGuess(pool, address);
    if (waitMs > 0) return { refused: "too-many", seconds: Math.ceil(waitMs / 1_000) };
    if (looking >= MOST_AT_ONCE) return { refused: "too-many", seconds: 1 };
    looking += 1;
    try {
      const email = isStorable(credentials.email) ? credentials.email : "";
      return await signIn(db, secrets, { ...credentials, email, address }, clock.wall());
    } finally {
      looking -= 1;
    }
  };
}
