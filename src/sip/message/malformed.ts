// The mark for text that is there but says nothing the grammar knows; absence is `undefined`.

export type Malformed = { malformed: string };

export function isMalformed<Value>(value: Value | Malformed): value is Malformed {
  // Read rather than asked for by `in`: this stands on the way of every message, and the bench shows it.
  return typeof value === "object" && value !== null && (value as Partial<Malformed>).malformed !== undefined;
}
