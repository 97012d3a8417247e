// RFC 4733 telephone events: keys as packets. Written once per 20 ms, read so that each key counts exactly once.

export const KEYS = "0123456789*#ABCD";
export const EVENT_BYTES = 4;
const END_BIT = 0x80;
const VOLUME = 10;
/** One RFC 4733 segment; a key held longer goes on in a new one. */
export const LONGEST_SEGMENT = 0xffff;

export function eventOf(key: string): number {
  return KEYS.indexOf(key.toUpperCase());
}

export type EventPayload = { event: number; durationUnits: number; isEnd: boolean };

export function writeEvent(into: Uint8Array, at: number, { event, durationUnits, isEnd }: EventPayload): number {
  into[at] = event;
  into[at + 1] = isEnd ? END_BIT | VOLUME : VOLUME;
  into[at + 2] = durationUnits >> 8;
  into[at + 3] = durationUnits & 0xff;
  return EVENT_BYTES;
}

export type Heard =
  | { is: "nothing" }
  | { is: "began"; key: string }
  | { is: "ended"; key: string; durationUnits: number }
  /** The end of the one before was lost on the way: this packet already belongs to the next key. */
  | { is: "ended-and-began"; key: string; durationUnits: number; nextKey: string };

const NOTHING: Heard = { is: "nothing" };

/** A key is known by the timestamp its packets share; repeats, late packets and lost ends change nothing. */
export class EventReader {
  #timestamp = -1;
  #key = "";
  #durationUnits = 0;
  #open = false;

  get open(): boolean {
    return this.#open;
  }

  read(timestamp: number, packet: Uint8Array, at: number): Heard {
    const key = KEYS[packet[at]!];
    if (key === undefined) return NOTHING;
    const isEnd = (packet[at + 1]! & END_BIT) !== 0;
    const durationUnits = (packet[at + 2]! << 8) | packet[at + 3]!;
    const ahead = this.#timestamp < 0 ? 1 : (timestamp - this.#timestamp) | 0;
    if (ahead < 0) return NOTHING;
    if (ahead === 0) return this.#goOn(durationUnits, isEnd);
    if (this.#continues(key, ahead)) {
      this.#timestamp = timestamp;
      return this.#goOn(LONGEST_SEGMENT, isEnd);
    }
    return this.#begin(timestamp, key, durationUnits, isEnd);
  }

  /** No packet for a while: the end was lost. */
  giveUp(): Heard {
    return this.#end();
  }

  /** A new sender starts its timestamps anew. */
  reset(): void {
    this.#timestamp = -1;
    this.#open = false;
  }

  #goOn(durationUnits: number, isEnd: boolean): Heard {
    this.#durationUnits = Math.max(this.#durationUnits, durationUnits);
    return isEnd ? this.#end() : NOTHING;
  }

  #begin(timestamp: number, key: string, durationUnits: number, isEnd: boolean): Heard {
    const before = this.#end();
    this.#timestamp = timestamp;
    this.#key = key;
    this.#durationUnits = durationUnits;
    this.#open = true;
    if (before.is === "ended") return { ...before, is: "ended-and-began", nextKey: key };
    return isEnd ? this.#end() : { is: "began", key };
  }

  #end(): Heard {
    if (!this.#open) return NOTHING;
    this.#open = false;
    return { is: "ended", key: this.#key, durationUnits: this.#durationUnits };
  }

  /** Section 2.5.1.3: a held key's next segment starts where the full one before it ended. */
  #continues(key: string, ahead: number): boolean {
    return this.#open && key === this.#key && ahead === LONGEST_SEGMENT;
  }
}
