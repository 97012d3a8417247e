// Which failures are the fault of what was to be written.

/** Thrown for what no database could take. */
export class Unwritable extends Error {}

/** SQLSTATE classes 22 (data) and 23 (integrity): the same statement will fail for ever. Anything else may pass. */
export function isPoison(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof Unwritable || /^2[23]/.test(code);
}
