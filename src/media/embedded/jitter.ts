// Holds packets long enough to put them in order and even out the network, as briefly as the network allows.

const SLOTS = 32;
const SLOT_BYTES = 1300;
const LEAST_TARGET = 2;
const MOST_TARGET = 12;
/** Frames without trouble after which a packet less is held. */
const CALM_FRAMES = 500;
/** Frames over which more is held than needed before one is let go. */
const FULL_FRAMES = 50;

/** Longer without a packet is silence suppression or hold, not a slow network. */
const PAUSE_TICKS = 10;

export type Taken = { is: "packet"; slot: number } | { is: "missing" } | { is: "empty" };

const MISSING: Taken = { is: "missing" };
const EMPTY: Taken = { is: "empty" };

export class JitterBuffer {
  readonly bytes: Uint8Array;
  readonly #slotBytes: number;
  readonly #numbers = new Float64Array(SLOTS).fill(-1);
  readonly #lengths = new Uint16Array(SLOTS);
  readonly #taken = { is: "packet" as const, slot: 0 };
  #next = -1;
  #highest = -1;
  #target = LEAST_TARGET;
  #filling = true;
  #calm = 0;
  #full = 0;
  #owed = 0;
  #started = false;
  /** Ticks since it ran dry. */
  #dryTicks = 0;
  late = 0;

  /** G.711 and G.722 need 160 bytes a packet of 20 ms; others may need more. */
  constructor(slotBytes = SLOT_BYTES) {
    this.#slotBytes = slotBytes;
    this.bytes = new Uint8Array(SLOTS * slotBytes);
  }

  /** Packets held, counting the gaps between them. */
  get depth(): number {
    return this.#next < 0 ? 0 : this.#highest - this.#next + 1;
  }

  /** What is held beyond what the network needs. */
  get inStock(): number {
    return Math.max(0, this.depth - this.#target);
  }

  /** So many are taken at once: what is held for them is not too much. */
  owe(packets: number): void {
    this.#owed = packets;
  }

  /** An empty packet keeps its place in the order: something else than sound was sent there. */
  put(number: number, packet: Uint8Array, from: number, to: number): void {
    if (to - from > this.#slotBytes) return;
    if (this.#next < 0) this.#restart(number);
    if (number < this.#next) {
      this.late += 1;
      this.#worse();
      return;
    }
    if (this.#dryTicks > 0) this.#judgeDryness();
    // A sender that ran away or started anew: begin again with what it sends now.
    if (number >= this.#next + SLOTS) this.#restart(number);
    const slot = number % SLOTS;
    this.#numbers[slot] = number;
    this.#lengths[slot] = to - from;
    copyBytes(packet, from, to, this.bytes, slot * this.#slotBytes);
    if (number > this.#highest) this.#highest = number;
  }

  /** The next packet in order. "empty": wait; "missing": it is lost, the one after it is already here. */
  take(): Taken {
    if (this.depth === 0) this.#filling = true;
    if (this.#filling && this.depth < this.#target) {
      this.#dryTicks += 1;
      return EMPTY;
    }
    this.#filling = false;
    this.#shrink();
    const number = this.#next++;
    const slot = number % SLOTS;
    if (this.#numbers[slot] !== number) return MISSING;
    this.#numbers[slot] = -1;
    this.#taken.slot = slot;
    return this.#taken;
  }

  startOf(slot: number): number {
    return slot * this.#slotBytes;
  }

  endOf(slot: number): number {
    return slot * this.#slotBytes + this.#lengths[slot]!;
  }

  reset(): void {
    this.#next = -1;
    this.#numbers.fill(-1);
    this.#filling = true;
  }

  #restart(number: number): void {
    this.#numbers.fill(-1);
    this.#next = number;
    this.#highest = number - 1;
    this.#filling = true;
  }

  /** A packet soon after was late; one long after follows a pause in which nothing was sent. */
  #judgeDryness(): void {
    if (this.#dryTicks < PAUSE_TICKS && this.#started) this.#worse();
    this.#dryTicks = 0;
    this.#started = true;
  }

  #worse(): void {
    this.#target = Math.min(this.#target + 1, MOST_TARGET);
    this.#calm = 0;
  }

  /** Two clocks never agree, and a burst leaves its delay behind: let one packet go when too many stay. */
  #shrink(): void {
    if (++this.#calm >= CALM_FRAMES) {
      this.#calm = 0;
      this.#target = Math.max(this.#target - 1, LEAST_TARGET);
    }
    if (this.#owed > 0) {
      this.#owed -= 1;
      return;
    }
    this.#full = this.depth > this.#target + 1 ? this.#full + 1 : 0;
    // The more stays behind, the sooner one goes: nobody can talk with half a second of delay.
    if (this.#full * (this.depth - this.#target) < FULL_FRAMES) return;
    this.#full = 0;
    this.#numbers[this.#next % SLOTS] = -1;
    this.#next += 1;
  }
}

// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  for (let i = start; i < end; i++) into[at + i - start] = from[i]!;
}
