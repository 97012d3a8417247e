// How loud a tone is in what was heard.

/** Amplitude of the tone, 1 for a full-scale sine: the median over pieces of 50 ms, so that a busy machine's one late
 *  packet does not spoil it. Tones that are multiples of 20 Hz do not leak into each other. */
export function toneLevel(samples: Int16Array, hz: number, rate: number): number {
  const piece = rate / 20;
  const levels: number[] = [];
  for (let at = 0; at + piece <= samples.length; at += piece)
    levels.push(goertzel(samples.subarray(at, at + piece), hz, rate));
  return levels.sort((a, b) => a - b)[levels.length >> 1] ?? 0;
}

/** Of any fifth of a second. */
export function loudestTone(samples: Int16Array, hz: number, rate: number): number {
  const window = rate / 5;
  let loudest = 0;
  for (let from = 0; from + window <= samples.length; from += window / 4)
    loudest = Math.max(loudest, toneLevel(samples.subarray(from, from + window), hz, rate));
  return loudest;
}

function goertzel(samples: Int16Array, hz: number, rate: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let one = 0;
  let two = 0;
  for (const sample of samples) {
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  const power = one * one + two * two - coefficient * one * two;
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length / 32_768;
}
