// The arithmetic behind pacing: those who are rung answer one by one, agents hang up one by one; how many will have
// answered while nobody was free?

/** Tries that succeed with the same chance, one not knowing of the other. */
export type Tries = { count: number; chance: number };

/** What is to be expected until a call that is dialled now is answered, spread over that time by chance. */
export type Outlook = {
  answering: Tries;
  /** Agents who may get free meanwhile. */
  freeing: Tries;
  /** Agents who sit there already; negative when more people wait than agents are there. */
  spare: number;
};

/** Beyond that a crowd behaves as the normal distribution says; below, its tail is much longer than that. */
const CROWD = 25;

/** How many find no agent. */
export function inVain(outlook: Outlook): number {
  const onTheWay = disappointedOnTheWay(outlook);
  return scatterOf(outlook.answering) + scatterOf(outlook.freeing) > CROWD
    ? onTheWay
    : Math.max(onTheWay, disappointedAtTheEnd(outlook));
}

/**
 * Answers less freed agents wander like a Brownian motion with drift, and whoever lifts it above `spare` for the first
 * time is disappointed: the mean of its highest point above that. Good for many, and for the order in which things happen.
 */
export function disappointedOnTheWay({ answering, freeing, spare }: Outlook): number {
  const drift = meanOf(answering) - meanOf(freeing);
  // Agents hang up at any moment: that scatters more than a draw of so many out of so many.
  const variance = scatterOf(answering) + meanOf(freeing);
  if (variance <= 0) return Math.max(0, drift - spare);
  const level = Math.max(0, spare) + 0.5; // halfway to the next whole person
  const scatter = Math.sqrt(variance);
  const reach = (drift - level) / scatter;
  const atTheEnd = scatter * (density(reach) + reach * below(reach));
  // By the reflection principle: without drift as many again as are above the level at the end.
  const bias = (2 * drift) / variance;
  const before =
    Math.abs(bias) * scatter < 1e-3
      ? atTheEnd
      : (below(reach) - Math.exp(bias * level) * below(-(level + drift) / scatter)) / bias;
  return Math.max(0, -spare) + atTheEnd + Math.max(0, before);
}

/** The mean of what answers exceed freed and spare agents by, once all have answered who will. Exact, for any few. */
export function disappointedAtTheEnd({ answering, freeing, spare }: Outlook): number {
  const excess = excessOf(answering);
  let mean = 0;
  for (const [freed, weight] of binomial(freeing).entries()) mean += weight * excess(freed + spare);
  return mean;
}

/** By how much the successes exceed a whole number, in the mean; found for all such numbers in one pass. */
function excessOf(tries: Tries): (limit: number) => number {
  const weights = binomial(tries);
  const means = new Float64Array(weights.length);
  let beyond = 0;
  for (let limit = weights.length - 2; limit >= 0; limit--) {
    beyond += weights[limit + 1]!; // inside, as the next
    means[limit] = means[limit + 1]! + beyond;
  }
  return (limit) => (limit >= 0 ? (means[limit] ?? 0) : meanOf(tries) - limit);
}

/** How likely each number of successes is. Built outwards from the likeliest, so that nothing under- or overflows. */
export function binomial({ count, chance }: Tries): Float64Array {
  const weights = new Float64Array(count + 1);
  const likeliest = Math.min(count, Math.floor((count + 1) * chance));
  const odds = chance / (1 - chance);
  weights[likeliest] = 1;
  if (chance > 0 && chance < 1) {
    for (let at = likeliest; at < count; at++) weights[at + 1] = ((weights[at]! * (count - at)) / (at + 1)) * odds;
    for (let at = likeliest; at > 0; at--) weights[at - 1] = (weights[at]! * at) / ((count - at + 1) * odds);
  }
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

function meanOf({ count, chance }: Tries): number {
  return count * chance;
}

function scatterOf({ count, chance }: Tries): number {
  return count * chance * (1 - chance);
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** The normal distribution (Abramowitz and Stegun 26.2.17: seven digits). */
function below(x: number): number {
  if (x < 0) return 1 - below(-x);
  const t = 1 / (1 + 0.2316419 * x);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - density(x) * series;
}
