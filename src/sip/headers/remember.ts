// Memory of the last value parsed: one message is asked for the same header many times in a row.

/** `parse` must be pure and its result is shared, hence read-only. */
export function remember<Value>(parse: (text: string) => Value): (text: string) => Value {
  let text: string | undefined;
  let value: Value;
  return (asked) => {
    if (asked !== text) {
      value = parse(asked);
      text = asked;
    }
    return value;
  };
}
