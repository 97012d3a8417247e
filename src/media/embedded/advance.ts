// Voice in advance: what is sent to an address from which nothing has come yet. Whoever is let in to call can name any address
// in his SDP, somebody else's too. So a stream speaks to such a one for a few seconds only, as long as it takes a carrier that
// waits for our first packet to answer it; and few streams of one source do so at once. What is here decides, and sends nothing.

import type { StreamId, VoiceSource } from "../engine.ts";

/** Of one stream, in all, whatever addresses it names one after the other. */
const ADVANCE_MS = 5_000;
/** Of them whoever is called gets no more than this before the answer: one packet is enough to be known by. */
const EARLY_MS = 1_000;
/** Without a place it asks again. */
const AGAIN_MS = 2_000;
/** A place that has proved nothing stays taken so many times as long as it was given for. */
const IN_VAIN = 6;

/**
 * So many streams at once. A place is given back as soon as something comes, after the time of one packet there and back:
 * a phone's address needs one or two, and a trunk with sixteen begins a hundred calls a second. To a victim they are
 * 350 kbit/s and 1.4 Mbit/s of G.711, for five seconds in thirty. Of an exchange that makes itself many trunks, or has phones
 * at many addresses, no more than two trunks' count.
 */
const MOST = { address: 4, trunk: 16, exchange: 32 } as const;

/** What a media thread says of one, to whoever has the places of all. */
export type AdvanceNews = { stream: StreamId } & (
  | { is: "asks"; source: VoiceSource; forMs: number }
  /** Something has come from where it speaks to. */
  | { is: "proved" }
  /** It speaks elsewhere, or ends, and nothing has come. */
  | { is: "gone" }
);

/** How far one stream is. */
export type Advance = {
  at: "unasked" | "asked" | "given" | "over";
  leftMs: number;
  /** What of that is for later. */
  keptMs: number;
  /** When it was asked for last, or given. */
  sinceMs: number;
  /** When the address was first to be spoken to. */
  wantedMs: number;
  /** That voice is held back was told. */
  isTold: boolean;
  /** It spoke to an address, and then named another before anything had come: that shows nothing of the first. */
  isVain: boolean;
};

export const newAdvance = (): Advance => ({
  at: "unasked",
  leftMs: ADVANCE_MS,
  keptMs: 0,
  sinceMs: 0,
  wantedMs: 0,
  isTold: false,
  isVain: false,
});

/** There is something to send: whether it goes, or what is to be done instead. */
export function turnOf(advance: Advance, nowMs: number): "send" | "wait" | "ask" | "tell" {
  if (isGiven(advance, nowMs)) return "send";
  if (advance.at === "given") spend(advance, nowMs);
  if (advance.at === "unasked") {
    advance.at = "asked";
    advance.wantedMs = advance.sinceMs = nowMs;
    return "ask";
  }
  const isDue = advance.keptMs === 0 && !advance.isTold;
  if (isDue && (advance.at === "over" || nowMs - advance.wantedMs >= ADVANCE_MS)) {
    advance.isTold = true;
    return "tell";
  }
  if (advance.at === "over" || nowMs - advance.sinceMs < AGAIN_MS) return "wait";
  advance.sinceMs = nowMs;
  return "ask";
}

export function isGiven(advance: Advance, nowMs: number): boolean {
  return advance.at === "given" && nowMs - advance.sinceMs < usableMs(advance);
}

/** For how long it may speak now. */
export const usableMs = ({ leftMs, keptMs }: Advance): number => leftMs - keptMs;

/** After each offer and answer: before whom we call has answered the most of it is kept. */
export function keepForLater(advance: Advance, nowMs: number, isEarly: boolean): void {
  const keptMs = isEarly ? ADVANCE_MS - EARLY_MS : 0;
  if (keptMs === advance.keptMs) return;
  spend(advance, nowMs);
  advance.keptMs = keptMs;
  advance.wantedMs = nowMs;
  spend(advance, nowMs);
}

/** It has its place. */
export function give(advance: Advance, nowMs: number): void {
  if (advance.at !== "asked") return;
  advance.at = "given";
  advance.sinceMs = nowMs;
}

/** Another address is to be spoken to: what was used is used. */
export function begin(advance: Advance, nowMs: number): void {
  if (advance.at === "given") {
    advance.isVain = true;
    spend(advance, nowMs);
    if (usableMs(advance) > 0) advance.at = "given";
  }
  advance.sinceMs = advance.wantedMs = nowMs;
  advance.isTold = false;
}

/** It is not needed any more, by what has come or without. What becomes of its place, where it may have one. */
export function end(advance: Advance, nowMs: number, by: "proof" | "word"): "proved" | "gone" | undefined {
  if (advance.at === "unasked") return undefined;
  if (by === "word" && advance.at !== "asked") advance.isVain = true;
  if (advance.at === "asked") advance.at = "unasked";
  spend(advance, nowMs);
  return advance.isVain ? "gone" : "proved";
}

/** Its times by a clock that began so much earlier. */
export function carried(advance: Advance, ms: number): Advance {
  return { ...advance, sinceMs: advance.sinceMs + ms, wantedMs: advance.wantedMs + ms };
}

function spend(advance: Advance, nowMs: number): void {
  if (advance.at === "given") advance.leftMs -= Math.min(usableMs(advance), nowMs - advance.sinceMs);
  if (advance.at !== "asked") advance.at = usableMs(advance) > 0 ? "unasked" : "over";
}

/** Those of one source. */
type Places = {
  most: number;
  /** Who has one, and when it is free again at the latest. */
  held: Map<StreamId, number>;
  waiting: Set<StreamId>;
};

type Asked = { of: readonly Places[]; forMs: number };

export class Advances {
  readonly #give: (stream: StreamId) => void;
  readonly #nowMs: () => number;
  readonly #sources = new Map<string, Places>();
  readonly #asked = new Map<StreamId, Asked>();
  #tidiedMs = Number.NEGATIVE_INFINITY;

  constructor({ give, nowMs }: { give(stream: StreamId): void; nowMs(): number }) {
    this.#give = give;
    this.#nowMs = nowMs;
  }

  hear(news: AdvanceNews): void {
    if (news.is === "asks") this.#ask(news);
    else this[news.is](news.stream);
  }

  /** It is given a place now or when one is free. Who asks again keeps the one that he has. */
  #ask({ stream, source: { is, name, exchange }, forMs }: AdvanceNews & { is: "asks" }): void {
    this.#tidy();
    const of = [this.#placesOf(is, name), this.#placesOf("exchange", String(exchange))];
    this.#asked.set(stream, { of, forMs });
    for (const { waiting } of of) waiting.add(stream);
    this.#serve(stream);
  }

  /** Something has come from where it speaks to: its place is the next one's. */
  proved(stream: StreamId): void {
    const asked = this.#asked.get(stream);
    for (const { held } of asked?.of ?? []) held.delete(stream);
    this.gone(stream);
  }

  /** It is over, or speaks elsewhere, and nothing has come: the place stays taken for its time. */
  gone(stream: StreamId): void {
    const asked = this.#asked.get(stream);
    if (!asked) return;
    this.#asked.delete(stream);
    for (const { waiting } of asked.of) waiting.delete(stream);
    for (const { waiting } of asked.of) for (const next of waiting) this.#serve(next);
  }

  #serve(stream: StreamId): void {
    const asked = this.#asked.get(stream);
    const nowMs = this.#nowMs();
    if (!asked?.of.every((places) => hasRoom(places, stream, nowMs))) return;
    const untilMs = nowMs + IN_VAIN * asked.forMs;
    for (const { held, waiting } of asked.of) {
      waiting.delete(stream);
      held.set(stream, Math.max(held.get(stream) ?? 0, untilMs));
    }
    this.#give(stream);
  }

  #placesOf(is: keyof typeof MOST, name: string): Places {
    const source = `${is} ${name}`;
    const places = this.#sources.get(source) ?? { most: MOST[is], held: new Map(), waiting: new Set() };
    this.#sources.set(source, places);
    return places;
  }

  /** Sources that have not asked for long are forgotten. */
  #tidy(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#tidiedMs < IN_VAIN * ADVANCE_MS) return;
    this.#tidiedMs = nowMs;
    for (const [source, places] of this.#sources) {
      forgetPast(places, nowMs);
      if (places.held.size + places.waiting.size === 0) this.#sources.delete(source);
    }
  }
}

function hasRoom(places: Places, stream: StreamId, nowMs: number): boolean {
  if (places.held.size >= places.most) forgetPast(places, nowMs);
  return places.held.size < places.most || places.held.has(stream);
}

function forgetPast({ held }: Places, nowMs: number): void {
  for (const [stream, untilMs] of held) if (untilMs <= nowMs) held.delete(stream);
}
