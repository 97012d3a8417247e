// Channels shared between campaigns: whoever has fewest calls up gets the next one, until none is free or wished for.

export type Wish = {
  /** Calls that the campaign has up, and calls it would start now. */
  up: number;
  wished: number;
};

/** Calls each may start, in the order of the wishes. Of equals the earlier is served first: let them take turns. */
export function shareChannels(wishes: readonly Wish[], free: number): number[] {
  const granted = wishes.map(() => 0);
  for (let left = free; left > 0; left--) {
    let next = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [place, { up, wished }] of wishes.entries()) {
      const has = up + granted[place]!; // one for each wish
      if (granted[place]! >= wished || has >= fewest) continue;
      next = place;
      fewest = has;
    }
    if (next < 0) break;
    granted[next]! += 1;
  }
  return granted;
}
