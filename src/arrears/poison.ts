// Which failures of the database are the fault of what was to be written.

/** SQLSTATE classes 22 (data) and 23 (integrity): the same statement will fail for ever. Anything else may pass. */
export function isPoison(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^2[23]/.test(code);
}
