// What staff may do: a record a role, from which every list and comparison of roles comes.

import type { Words } from "./field.ts";

/** Who has a higher rank may do everything that a lower one may. The highest comes first. */
export const roles = {
  administrator: { rank: 2, words: { tr: "Yönetici", en: "Administrator" } },
  standard: { rank: 1, words: { tr: "Standart", en: "Standard" } },
  "read-only": { rank: 0, words: { tr: "Salt okunur", en: "Read-only" } },
} as const satisfies Record<string, { rank: number; words: Words }>;

export type StaffRole = keyof typeof roles;

const STAFF_ROLES = Object.keys(roles) as StaffRole[]; // of the record above

/** What one is given unless somebody says otherwise. */
export const USUAL_ROLE: StaffRole = "standard";

export const roleChoices = Object.fromEntries(STAFF_ROLES.map((role) => [role, roles[role].words])) as Record<
  StaffRole,
  Words
>; // role by role

export function isAtLeast(role: StaffRole, needed: StaffRole): boolean {
  return roles[role].rank >= roles[needed].rank;
}
