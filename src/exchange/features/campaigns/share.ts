// Channels shared between campaigns: whoever has fewest calls up gets the next one, until none is free or wanted.

export type Demand = {
  /** Calls that the campaign has up, and calls it would start now. */
  up: number;
  wanted: number;
};

/** Calls each may start, in the order of the demands. Of equals the earlier is served first: let them take turns. */
export function shareChannels(demands: readonly Demand[], free: number): number[] {
  const granted = demands.map(() => 0);
  for (let left = free; left > 0; left--) {
    let next = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [place, { up, wanted }] of demands.entries()) {
      const has = up + granted[place]!; // one for each request
      if (granted[place]! >= wanted || has >= fewest) continue;
      next = place;
      fewest = has;
    }
    if (next < 0) break;
    granted[next]! += 1;
  }
  return granted;
}
