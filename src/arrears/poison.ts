// Which failures are the fault of what was to be written.

import { NotOwner } from "../store/fences.ts";

/** Thrown for what no database could take. */
export class Unwritable extends Error {}

/** What another node has to write now, if anybody. It is let go of: to keep it would be to owe it for ever. */
export const isAnothers = (error: unknown): boolean => error instanceof NotOwner;

/** SQLSTATE classes 22 (data) and 23 (integrity): the same statement will fail for ever. Anything else may pass. */
export function isPoison(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof Unwritable || isAnothers(error) || /^2[23]/.test(code);
}
