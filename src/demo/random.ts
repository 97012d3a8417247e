// Chance that comes out the same for the same seed, so that a demo can be made again or gone on with.

export type Chance = {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** An item by the weight beside it. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item;
  uuid(): string;
};

/** Until then what comes out still looks like what was put in. */
const MIXING_ROUNDS = 12;

// sfc32: quick, and wide enough that the days of a year, each with a seed of its own, never come to the same calls.
export function chanceOf(seed: string): Chance {
  let [a, b, c, count] = [hash(`a ${seed}`), hash(`b ${seed}`), hash(`c ${seed}`), 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < MIXING_ROUNDS; round++) next();
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!, // lists of a demo are never empty
    weighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return items[items.length - 1]![0]; // rounding left a crumb over
    },
    uuid: () => {
      const hex = Array.from({ length: 4 }, () =>
        Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, "0"),
      ).join("");
      const variant = "89ab"[Math.floor(next() * 4)];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

// FNV-1a, so that neighbouring seeds begin far apart.
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
