// Passwords that nobody has to think of.

import { randomInt } from "node:crypto";

// Without the letters that are mistaken for one another when somebody reads them out.
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** 24 of 56 letters are about 139 bits. */
export function newPassword(length = 24): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
