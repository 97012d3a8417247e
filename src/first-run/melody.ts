// Sound made in code, so that a fresh exchange has something to play: plucked strings.

/** Twice the telephone's: phones that can hear more get more. */
export const SAMPLE_RATE = 16_000;

type Note = { hertz: number; atSeconds: number; loudness: number };

/** How much of a string's swing is left after each of its rounds. */
const STRING_DECAY = 0.996;

/** Four chords, picked string by string, that lead back to their beginning. */
export function waitingMusic(): Int16Array {
  const chords = [
    [130.81, 196.0, 261.63, 329.63, 392.0],
    [110.0, 164.81, 220.0, 261.63, 329.63],
    [87.31, 174.61, 220.0, 261.63, 349.23],
    [98.0, 196.0, 246.94, 293.66, 392.0],
  ];
  const pattern = [0, 2, 3, 4, 3, 2, 1, 3];
  const beatSeconds = 0.42;
  const notes = [...chords, ...chords].flatMap((chord, bar) =>
    pattern.map((string, beat) => ({
      hertz: chord[string]!, // the pattern names strings that every chord has
      atSeconds: (bar * pattern.length + beat) * beatSeconds,
      loudness: beat === 0 ? 0.32 : 0.22,
    })),
  );
  return mix(notes, chords.length * 2 * pattern.length * beatSeconds + 1.5);
}

export function chime(): Int16Array {
  const notes = [392, 523.25, 659.26, 783.99].map((hertz, index) => ({
    hertz,
    atSeconds: index * 0.28,
    loudness: 0.4,
  }));
  return mix(notes, 2.4);
}

function mix(notes: Note[], seconds: number): Int16Array {
  const sum = new Float64Array(Math.ceil(seconds * SAMPLE_RATE));
  for (const note of notes) pluck(sum, note);
  return Int16Array.from(sum, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_000));
}

// Karplus and Strong, 1983: a burst of noise running round a delay line that softens it sounds like a string.
function pluck(sum: Float64Array, { hertz, atSeconds, loudness }: Note): void {
  const line = noise(Math.round(SAMPLE_RATE / hertz));
  const first = Math.round(atSeconds * SAMPLE_RATE);
  const last = Math.min(sum.length, first + 2 * SAMPLE_RATE);
  for (let at = first, index = 0; at < last; at++, index = (index + 1) % line.length) {
    const sample = line[index]!; // index stays below the length
    sum[at]! += sample * loudness;
    line[index] = ((sample + line[(index + 1) % line.length]!) / 2) * STRING_DECAY;
  }
}

// The same noise every time, so that every installation has the same music.
function noise(length: number): Float64Array {
  let state = 22_222 + length;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
