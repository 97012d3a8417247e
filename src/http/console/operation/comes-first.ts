// What somebody who is signed in has to do before he is given anything else.

import type { StaffSession } from "../../../store/staff-sessions.ts";

/** By the refusal that says so. */
export type First = "password-must-change" | "second-factor-first";

export function comesFirst({
  mustChangePassword,
  owesFactor,
}: Pick<StaffSession, "mustChangePassword" | "owesFactor">): First | undefined {
  if (mustChangePassword) return "password-must-change";
  return owesFactor ? "second-factor-first" : undefined;
}
