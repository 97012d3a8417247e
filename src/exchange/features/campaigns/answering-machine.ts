// Did a person pick up, or a machine? People say a word or two and wait; machines go on talking. Told by loudness alone.

/** `undecided`: nobody has said enough yet. */
export type Heard = "person" | "machine" | "undecided";

const FRAME_MS = 20;
/** Nobody says a word: a person who listens, as far as we know. */
const LONGEST_HUSH_MS = 2_500;
const LONGEST_GREETING_MS = 1_500;
const MOST_WORDS = 4;
/** So long after his greeting, a person waits for us. */
const WAITS_MS = 800;
const SHORTEST_WORD_MS = 100;
const BETWEEN_WORDS_MS = 50;
/** Whoever has not made himself clear by then is treated as a person. */
const LONGEST_MS = 5_000;

/** Root mean square: below this nothing is a voice, however quiet the line is otherwise. */
const QUIETEST_VOICE = 180;
const ABOVE_NOISE = 3.5;

/** Listens to the first seconds of what a called party says, frame by frame. */
export class GreetingEar {
  heard: Heard = "undecided";
  #ms = 0;
  #noise = 60;
  #words = 0;
  #wordMs = 0;
  #inWord = false;
  #voiceMs = 0;
  #hushMs = 0;

  /** Mono samples; what is left over at the end of a file is not worth a frame. */
  listen(samples: Int16Array, rate: number): Heard {
    const size = (rate * FRAME_MS) / 1_000;
    for (let at = 0; at + size <= samples.length && this.heard === "undecided"; at += size)
      this.#frame(samples.subarray(at, at + size));
    return this.heard;
  }

  #frame(frame: Int16Array): void {
    this.#ms += FRAME_MS;
    if (this.#isVoice(frame)) this.#voice();
    else this.#hush();
    this.heard = this.#decide();
  }

  #decide(): Heard {
    if (this.#words >= MOST_WORDS || this.#voiceMs >= LONGEST_GREETING_MS) return "machine";
    if (this.#hushMs >= (this.#words === 0 ? LONGEST_HUSH_MS : WAITS_MS)) return "person";
    return this.#ms >= LONGEST_MS ? "person" : "undecided";
  }

  #voice(): void {
    this.#hushMs = 0;
    this.#wordMs += FRAME_MS;
    this.#voiceMs += FRAME_MS;
    if (this.#inWord || this.#wordMs < SHORTEST_WORD_MS) return;
    this.#inWord = true;
    this.#words += 1;
  }

  #hush(): void {
    this.#hushMs += FRAME_MS;
    if (this.#hushMs < BETWEEN_WORDS_MS) return;
    this.#inWord = false;
    this.#wordMs = 0;
  }

  /** What is hardly louder than the line's own noise teaches what that noise is. */
  #isVoice(frame: Int16Array): boolean {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    const loudness = Math.sqrt(energy / frame.length);
    if (loudness < this.#noise * 3) this.#noise = Math.max(20, this.#noise * 0.95 + loudness * 0.05);
    return loudness > Math.max(QUIETEST_VOICE, this.#noise * ABOVE_NOISE);
  }
}
