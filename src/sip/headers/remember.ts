// Memory of the last value made: one message is asked for the same header, or for the same of it, many times in a row.

/** `make` must be pure, what it is made of never changed afterwards, and the result is shared, hence read-only. */
export function remember<From extends string | object, Value>(make: (from: From) => Value): (from: From) => Value {
  let last: From | undefined;
  let value: Value;
  return (asked) => {
    if (asked !== last) {
      value = make(asked);
      last = asked;
    }
    return value;
  };
}
