// Nonces that need no memory to be recognised, and the bounded memory that keeps an answer from being used twice.

import type { Octets } from "./message/message.ts";

/** Keyed hash in hex; the key is the caller's, and a new one makes every older nonce stale. */
export type Hmac = (octets: Octets) => string;

export type NonceLimits = {
  lifetimeMs: number;
  /** Nonces remembered for one source, and for all of them together. */
  perSource: number;
  total: number;
};

export const NONCE_LIMITS: NonceLimits = { lifetimeMs: 300_000, perSource: 8_192, total: 131_072 };

/** Answers to one nonce: the highest count seen and, one bit each, the counts just below it. */
type Counts = { issuedMs: number; highest: number; seen: number };

/** A nonce issued at or before `floorMs` and not remembered may have been used: it is stale. */
type SourceMemory = { floorMs: number; oldestMs: number; nonces: Map<string, Counts> };

export type Nonces = {
  issue(source: string, nowMs: number): string;
  /** Whether it was issued to that source by us and is young enough. */
  isOurs(source: string, nonce: string, nowMs: number): boolean;
  /** The same, and that it was not used with this count. */
  use(source: string, nonce: string, use: { count: number; nowMs: number }): boolean;
  remembered(): number;
};

const WINDOW = 32;

export function openNonces(hmac: Hmac, limits: NonceLimits = NONCE_LIMITS): Nonces {
  const sources = new Map<string, SourceMemory>();
  let floorMs = Number.NEGATIVE_INFINITY;
  let total = 0;
  let issued = 0;
  let last: { source: string; nonce: string; issuedMs: number | undefined } = {
    source: "",
    nonce: "",
    issuedMs: undefined,
  };

  return { issue, isOurs, use, remembered: () => total };

  // The running number parts two nonces of one millisecond: phones that share one would use up each other's counts.
  function issue(source: string, nowMs: number): string {
    issued = (issued + 1) % 0x7fffffff;
    const stamp = `${nowMs.toString(36)}.${issued.toString(36)}`;
    return `${stamp}.${seal(source, stamp)}`;
  }

  // Bound to the source, so that an answer overheard is of no use from elsewhere.
  function seal(source: string, stamp: string): string {
    return hmac(`${source} ${stamp}`).slice(0, 32);
  }

  function isOurs(source: string, nonce: string, nowMs: number): boolean {
    return nowMs - (issuedMsOf(source, nonce) ?? Number.NEGATIVE_INFINITY) <= limits.lifetimeMs;
  }

  // Asked twice of each answer, one after the other: the hash is the dear part.
  function issuedMsOf(source: string, nonce: string): number | undefined {
    if (last.source !== source || last.nonce !== nonce) last = { source, nonce, issuedMs: readIssued(source, nonce) };
    return last.issuedMs;
  }

  function readIssued(source: string, nonce: string): number | undefined {
    const dot = nonce.lastIndexOf(".");
    if (dot < 3 || nonce.length > 80) return undefined;
    const stamp = nonce.slice(0, dot);
    return seal(source, stamp) === nonce.slice(dot + 1) ? Number.parseInt(stamp, 36) : undefined;
  }

  function use(source: string, nonce: string, { count, nowMs }: { count: number; nowMs: number }): boolean {
    const issuedMs = issuedMsOf(source, nonce);
    if (issuedMs === undefined || nowMs - issuedMs > limits.lifetimeMs) return false;
    const memory = sources.get(source);
    const counts = memory?.nonces.get(nonce);
    if (counts) return useAgain(counts, count);
    if (issuedMs <= Math.max(floorMs, memory?.floorMs ?? Number.NEGATIVE_INFINITY)) return false;
    remember(source, nonce, { counts: { issuedMs, highest: count, seen: 1 }, nowMs });
    return true;
  }

  function remember(source: string, nonce: string, { counts, nowMs }: { counts: Counts; nowMs: number }): void {
    const memory = sources.get(source) ?? newMemory(counts.issuedMs);
    // Put last, so that the source that has been quiet longest is the first to be forgotten.
    sources.delete(source);
    sources.set(source, memory);
    memory.nonces.set(nonce, counts);
    total++;
    const expired = nowMs - memory.oldestMs > limits.lifetimeMs;
    if (expired || memory.nonces.size > limits.perSource) forgetSome(memory, nowMs);
    while (total > limits.total) forgetSource();
  }

  // The expired ones, and of too many the oldest eighth at once: taking out the first of a large map is dear, because
  // the places of those taken out before it are walked over each time.
  function forgetSome(memory: SourceMemory, nowMs: number): void {
    const tooMany = memory.nonces.size > limits.perSource;
    const most = tooMany ? limits.perSource - (limits.perSource >> 3) : Number.POSITIVE_INFINITY;
    for (const [nonce, { issuedMs }] of memory.nonces) {
      memory.oldestMs = issuedMs;
      const expired = nowMs - issuedMs > limits.lifetimeMs;
      if (!expired && memory.nonces.size <= most) return;
      memory.nonces.delete(nonce);
      total--;
      if (!expired) memory.floorMs = Math.max(memory.floorMs, issuedMs);
    }
  }

  function forgetSource(): void {
    for (const [source, { floorMs: theirs, nonces }] of sources) {
      floorMs = Math.max(floorMs, theirs);
      for (const { issuedMs } of nonces.values()) floorMs = Math.max(floorMs, issuedMs);
      total -= nonces.size;
      sources.delete(source);
      return;
    }
  }
}

function newMemory(oldestMs: number): SourceMemory {
  return { floorMs: Number.NEGATIVE_INFINITY, oldestMs, nonces: new Map() };
}

function useAgain(counts: Counts, count: number): boolean {
  if (count > counts.highest) {
    const ahead = count - counts.highest;
    counts.seen = ahead >= WINDOW ? 1 : ((counts.seen << ahead) | 1) >>> 0;
    counts.highest = count;
    return true;
  }
  const behind = counts.highest - count;
  if (behind >= WINDOW || ((counts.seen >>> behind) & 1) === 1) return false;
  counts.seen = (counts.seen | (1 << behind)) >>> 0;
  return true;
}
