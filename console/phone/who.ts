// Who is on a line, in words.

import type { Words } from "./texts.ts";

/** A number that was withheld comes as RFC 3323 writes it, and is stored as none. */
export function whoOn({ name, number }: { name: string; number: string }, { withheld }: Words): string {
  return number === "" || number === "anonymous" ? withheld : name || number;
}
