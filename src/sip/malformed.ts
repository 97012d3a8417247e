// The mark for text that is there but says nothing the grammar knows; absence is `undefined`.

export type Malformed = { malformed: string };

export function isMalformed<Value>(value: Value | Malformed): value is Malformed {
  return typeof value === "object" && value !== null && "malformed" in value;
}
