// What a thread has read goes over in portions that are soon taken: a copy of very many values keeps the thread busy that
// gets it. What holds more than anybody has to say does not go over at all.

/** More entries than any operation takes, in a list and in a list of its own within an entry. */
export const MOST_LISTED = 200_000;
const MOST_INSIDE = 50_001;
/** Of one value, and of everything that was sent. */
const MOST_IN_ONE = 60_000;
const MOST_IN_ALL = 1_000_000;
const DEEPEST = 32;

const VALUES_AT_ONCE = 500;
const WEIGHT_AT_ONCE = 5_000;
const LETTERS_AT_ONCE = 256 * 1024;

type Weight = { values: number; letters: number };

/** Undefined for what is too much, by itself or with all that was weighed before. */
export type Weigh = (value: unknown) => Weight | undefined;

export function openScales(): Weigh {
  let all = 0;
  return (value) => {
    const weight = weightOf(value, MOST_IN_ONE);
    all += weight?.values ?? 0;
    return all > MOST_IN_ALL ? undefined : weight;
  };
}

/** The values in one, itself included, and the letters of its texts; undefined for too many, and where they lie too deep. */
export function weightOf(value: unknown, most: number): Weight | undefined {
  const weight = { values: 0, letters: 0 };
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    weight.values += level.length;
    if (depth > DEEPEST || weight.values > most) return undefined;
    const below: unknown[] = [];
    for (const it of level) {
      if (typeof it === "string") weight.letters += it.length;
      else if (isPlain(it)) {
        const inside = Array.isArray(it) ? it : Object.values(it);
        if (weight.values + below.length + inside.length > most) return undefined;
        for (const one of inside) below.push(one);
      }
    }
    level = below;
  }
  return weight;
}

/** Bytes are no values: they go over as they are. */
const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

/** Undefined in the place of a portion that would be too much, which is then the last. */
export function* inPortions(values: readonly unknown[], weigh: Weigh): Generator<unknown[] | undefined> {
  let portion: unknown[] = [];
  let [heavy, letters] = [0, 0];
  for (const value of values) {
    const cut = withShortLists(value);
    const weight = weigh(cut);
    if (!weight) return yield undefined;
    const isFull = heavy + weight.values > WEIGHT_AT_ONCE || letters + weight.letters > LETTERS_AT_ONCE;
    if (portion.length >= VALUES_AT_ONCE || (isFull && portion.length > 0)) {
      yield portion;
      [portion, heavy, letters] = [[], 0, 0];
    }
    portion.push(cut);
    heavy += weight.values;
    letters += weight.letters;
  }
  if (portion.length > 0) yield portion;
}

/** An entry with a list that is too long for anybody is still known by it. */
function withShortLists(value: unknown): unknown {
  if (Array.isArray(value) && value.length > MOST_INSIDE) return value.slice(0, MOST_INSIDE);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const list = fields[name];
    if (Array.isArray(list) && list.length > MOST_INSIDE) fields[name] = list.slice(0, MOST_INSIDE);
  }
  return value;
}
