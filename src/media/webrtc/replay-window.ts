// Lets each packet of a stream pass once: the library checks that a packet is genuine, not that it is new.

const WINDOW = 64;
const HALF = 0x8000;
const MOST_SOURCES = 8;

type Seen = { highest: number; places: Uint8Array };

export class ReplayWindow {
  readonly #sources = new Map<number, Seen>();

  isNew(source: number, sequence: number): boolean {
    const seen = this.#sources.get(source);
    if (!seen) return this.#begin(source, sequence);
    const ahead = (sequence - seen.highest + 0x1_0000) & 0xffff;
    if (ahead === 0) return false;
    if (ahead < HALF) {
      // Places that were jumped over belong to packets that have not come yet.
      for (let step = 1; step <= Math.min(ahead, WINDOW); step++) seen.places[(seen.highest + step) % WINDOW] = 0;
      seen.highest = sequence;
    } else if (0x1_0000 - ahead >= WINDOW || seen.places[sequence % WINDOW] === 1) return false;
    seen.places[sequence % WINDOW] = 1;
    return true;
  }

  /** A browser has one source or two; whoever shows more is not remembered for ever. */
  #begin(source: number, sequence: number): boolean {
    if (this.#sources.size >= MOST_SOURCES) return false;
    const places = new Uint8Array(WINDOW);
    places[sequence % WINDOW] = 1;
    this.#sources.set(source, { highest: sequence, places });
    return true;
  }
}
