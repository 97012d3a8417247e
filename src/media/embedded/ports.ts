// Pairs of ports for streams: an even one for RTP and the odd one above it for RTCP. Sockets outlive their streams for a
// while, because making them is the dearest part of opening a stream.

import type { Ip, SocketHandle, Wire } from "./wire.ts";

export type PortPair = { rtp: SocketHandle; rtcp: SocketHandle; port: number };
type Resting = PortPair & { sinceMs: number; strays: number };

/** Tries of the system's own choice before giving up; half of them are odd. */
const TRIES = 64;
/** So long a port hears nothing before the next stream gets it: nobody may be heard who still speaks to the last one. */
const REST_MS = 3000;
/** Nobody wanted it for so long: the system gets it back. */
const LONGEST_REST_MS = 10_000;
/** Whoever goes on sending for longer than a farewell learns from the system that nobody is there. */
const MOST_STRAYS = 50;
const SPARE_TRIES = 4;
/** Pairs that rest in all threads together. */
const MOST_RESTING = 1024;
/** Closed in one go, so that no packet waits for it. */
const CLOSED_AT_ONCE = 8;

export type PortsOptions = {
  wire: Pick<Wire, "bind" | "portOf" | "close">;
  ip: Ip;
  /** The odd port is at another address than the even one. */
  secondIp?: Ip;
  range: [number, number];
  /** Threads share one range: each takes every n-th pair of it, so that none waits for another. */
  place: number;
  threads: number;
  /** By port, every socket that is open, 0 for none: what the main thread closes when this one dies. */
  sockets: Int32Array;
  /** Of streams that an earlier process left behind, in whichever thread: nobody else gets them. */
  leftBehind: readonly number[];
};

export class Ports {
  readonly #options: PortsOptions;
  readonly #first: number;
  readonly #pairs: number;
  readonly #mostResting: number;
  /** The longest rested first. */
  readonly #resting = new Set<Resting>();
  readonly #restingAt: (Resting | undefined)[] = [];
  readonly #held = new Map<number, PortPair>();
  readonly #leftBehind: Set<number>;
  #next = 0;

  constructor(options: PortsOptions) {
    const { range, place, threads } = options;
    const [from, to] = range;
    this.#options = options;
    this.#leftBehind = new Set(options.leftBehind);
    this.#first = from + (from & 1);
    this.#pairs = Math.floor((Math.floor((to + 1 - this.#first) / 2) - place + threads - 1) / threads);
    this.#mostResting = Math.ceil(MOST_RESTING / threads);
  }

  /** Undefined when there is none. */
  take(nowMs: number): PortPair | undefined {
    const pair = this.#takeRested(nowMs) ?? this.#bind(this.#pairs);
    if (pair) return pair;
    // Better a port that was used a moment ago than no call at all.
    const [longest] = this.#resting;
    return longest && this.#wakeUp(longest);
  }

  /** One that costs little to find, since nobody waits for it. */
  takeSpare(nowMs: number): PortPair | undefined {
    return this.#takeRested(nowMs) ?? this.#bind(SPARE_TRIES);
  }

  /** For a stream that may be gone on with: what comes meanwhile is heard by nobody. False when somebody else has it. */
  hold(port: number): boolean {
    const pair = this.#bindPair(port);
    if (pair) this.#held.set(port, this.adopt(pair));
    return pair !== undefined;
  }

  takeHeld(port: number): PortPair | undefined {
    const pair = this.#held.get(port);
    this.#held.delete(port);
    return pair;
  }

  /** Nobody goes on with the others. */
  letGo(): void {
    for (const pair of this.#held.values()) this.close(pair);
    this.#held.clear();
    this.#leftBehind.clear();
  }

  giveBack({ rtp, rtcp, port }: PortPair, nowMs: number): void {
    const pair: Resting = { rtp, rtcp, port, sinceMs: nowMs, strays: 0 };
    if (this.#resting.size < this.#mostResting) this.#rest(pair);
    else this.close(pair);
  }

  /** A packet came for a stream that is no more: the port's rest begins anew. */
  stray(socket: SocketHandle, nowMs: number): void {
    const pair = this.#restingAt[socket];
    if (!pair) return;
    this.#wakeUp(pair);
    pair.strays += 1;
    pair.sinceMs = nowMs;
    if (pair.strays > MOST_STRAYS) this.close(pair);
    else this.#rest(pair);
  }

  /** Now and then: what has rested too long goes. */
  tidy(nowMs: number): void {
    let closed = 0;
    for (const pair of this.#resting) {
      if (closed++ >= CLOSED_AT_ONCE || nowMs - pair.sinceMs < LONGEST_REST_MS) return;
      this.close(this.#wakeUp(pair));
    }
  }

  close(pair: PortPair): void {
    this.release(pair);
    this.#options.wire.close(pair.rtp);
    this.#options.wire.close(pair.rtcp);
  }

  closeAll(): void {
    for (const pair of this.#resting) this.close(this.#wakeUp(pair));
    this.letGo();
  }

  /** Another thread's stream came here. */
  adopt<Pair extends PortPair>(pair: Pair): Pair {
    this.#options.sockets[pair.port] = pair.rtp;
    this.#options.sockets[pair.port + 1] = pair.rtcp;
    return pair;
  }

  /** Its stream goes to another thread, or the sockets are about to be closed. */
  release({ port }: PortPair): void {
    this.#options.sockets[port] = 0;
    this.#options.sockets[port + 1] = 0;
  }

  #takeRested(nowMs: number): PortPair | undefined {
    const [longest] = this.#resting;
    return longest && nowMs - longest.sinceMs >= REST_MS ? this.#wakeUp(longest) : undefined;
  }

  #rest(pair: Resting): void {
    this.#resting.add(pair);
    this.#restingAt[pair.rtp] = pair;
    this.#restingAt[pair.rtcp] = pair;
  }

  #wakeUp(pair: Resting): Resting {
    this.#resting.delete(pair);
    this.#restingAt[pair.rtp] = undefined;
    this.#restingAt[pair.rtcp] = undefined;
    return pair;
  }

  #bind(tries: number): PortPair | undefined {
    const pair = this.#options.range[0] === 0 ? this.#bindAny() : this.#bindNext(tries);
    return pair && this.adopt(pair);
  }

  #bindNext(tries: number): PortPair | undefined {
    const { place, threads, sockets } = this.#options;
    for (let tried = 0; tried < tries && tried < this.#pairs; tried++) {
      const port = this.#first + 2 * (place + threads * this.#next);
      // On to the next each time, for the sake of those that other programs had a moment ago.
      this.#next = (this.#next + 1) % this.#pairs;
      const pair = sockets[port] === 0 && !this.#leftBehind.has(port) ? this.#bindPair(port) : undefined;
      if (pair) return pair;
    }
    return undefined;
  }

  #bindAny(): PortPair | undefined {
    const { wire, ip, secondIp = ip } = this.#options;
    for (let tried = 0; tried < TRIES; tried++) {
      const chosen = wire.bind(ip, 0);
      if (chosen === undefined) return undefined;
      const port = wire.portOf(chosen);
      const isOdd = port % 2 !== 0;
      const rtcp = !isOdd && !this.#leftBehind.has(port) ? wire.bind(secondIp, port + 1) : undefined;
      if (rtcp !== undefined) return { rtp: chosen, rtcp, port };
      wire.close(chosen);
    }
    return undefined;
  }

  /** A port somebody else holds is skipped. */
  #bindPair(port: number): PortPair | undefined {
    const { wire, ip, secondIp = ip } = this.#options;
    const rtp = wire.bind(ip, port);
    if (rtp === undefined) return undefined;
    const rtcp = wire.bind(secondIp, port + 1);
    if (rtcp !== undefined) return { rtp, rtcp, port };
    wire.close(rtp);
    return undefined;
  }
}
