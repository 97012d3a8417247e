// Passwords of staff inside the console: who is signed in shows his own again, counted as at the door, and new ones are
// hashed in turn. Each takes a tenth of a second of a thread, so neither is done while a change holds its transaction.

import { openFairTurns } from "../../fair-turns.ts";
import { hashPassword } from "../../store/staff-password.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import type { Passwords } from "./operation/operation.ts";
import type { SignIn } from "./sign-ins.ts";

const HASHED_AT_ONCE = 1;
const WAITING_OF_ONE = 8;
const SOON = { refused: "too-many", seconds: 2 } as const;

/** Of whoever asks, from where. */
export type PasswordsOf = (staff: Pick<StaffSession, "email" | "exchangeId">, address: string) => Passwords;

export function openPasswords(trySignIn: SignIn): PasswordsOf {
  const turns = openFairTurns({ atOnce: HASHED_AT_ONCE, waitingOfOne: WAITING_OF_ONE });
  return ({ email, exchangeId }, address) => ({
    async prove(password) {
      const shown = await trySignIn({ email, password, isInside: true }, address);
      return "refused" in shown ? shown : undefined;
    },
    async hash(password) {
      const hash = await turns.take({ whose: exchangeId }, () => hashPassword(password));
      return typeof hash === "string" ? hash : SOON;
    },
  });
}
