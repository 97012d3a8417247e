// Voice in advance: what is sent to an address from which nothing has come yet. Whoever is let in to call can name any address
// in his SDP, somebody else's too. So a stream speaks to such a one for a few seconds only, as long as it takes a carrier that
// waits for our first packet to answer it; and few streams of one source do so at once. What is here decides, and sends nothing.

import type { StreamId, VoiceSource } from "../engine.ts";

/** Of one stream, in all, whatever addresses it names one after the other. */
const ADVANCE_MS = 5_000;
/** Without a place it asks again. */
const AGAIN_MS = 2_000;
/** A place that was used and proved nothing is somebody's again so long after it was given. */
const IN_VAIN_MS = 30_000;

/**
 * So many streams at once. A place is given back as soon as something comes, after the time of one packet there and back:
 * a phone's address needs one or two, and a trunk with sixteen begins a hundred calls a second. To a victim they are
 * 350 kbit/s and 1.4 Mbit/s of G.711, for five seconds in thirty.
 */
const MOST: Record<VoiceSource["is"], number> = { address: 4, trunk: 16 };

/** What a media thread says of one, to whoever has the places of all. */
export type AdvanceNews = { stream: StreamId } & (
  | { is: "asks"; source: VoiceSource }
  /** Something has come from where it speaks to. */
  | { is: "proved" }
  /** It speaks elsewhere, or ends, and nothing has come. */
  | { is: "gone" }
);

/** How far one stream is. */
export type Advance = {
  at: "unasked" | "asked" | "given" | "over";
  leftMs: number;
  /** When it was asked for last, or given. */
  sinceMs: number;
  /** When the address was first to be spoken to. */
  wantedMs: number;
  /** That voice is held back was told. */
  isTold: boolean;
  /** It spoke to an address, and then named another before anything had come: that shows nothing of the first. */
  isVain: boolean;
};

export const newAdvance = (leftMs = ADVANCE_MS): Advance => ({
  at: leftMs > 0 ? "unasked" : "over",
  leftMs,
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
  if (!advance.isTold && (advance.at === "over" || nowMs - advance.wantedMs >= ADVANCE_MS)) {
    advance.isTold = true;
    return "tell";
  }
  if (advance.at === "over" || nowMs - advance.sinceMs < AGAIN_MS) return "wait";
  advance.sinceMs = nowMs;
  return "ask";
}

export function isGiven({ at, sinceMs, leftMs }: Advance, nowMs: number): boolean {
  return at === "given" && nowMs - sinceMs < leftMs;
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
    if (spend(advance, nowMs) > 0) advance.at = "given";
  }
  advance.sinceMs = advance.wantedMs = nowMs;
  advance.isTold = false;
}

/** It is not needed any more, by what has come or without. What becomes of its place, where it may have one. */
export function end(advance: Advance, nowMs: number, by: "proof" | "word"): "proved" | "gone" | undefined {
  if (advance.at === "unasked") return undefined;
  if (by === "word" && advance.at !== "asked") advance.isVain = true;
  spend(advance, nowMs);
  return advance.isVain ? "gone" : "proved";
}

/** Its times by a clock that began so much earlier. */
export function carried(advance: Advance, ms: number): Advance {
  return { ...advance, sinceMs: advance.sinceMs + ms, wantedMs: advance.wantedMs + ms };
}

/** What is left. */
function spend(advance: Advance, nowMs: number): number {
  if (advance.at === "given") advance.leftMs = Math.max(0, advance.leftMs - (nowMs - advance.sinceMs));
  advance.at = advance.leftMs > 0 ? "unasked" : "over";
  return advance.leftMs;
}

/** Those of one source. */
type Places = {
  most: number;
  /** Who has one, and when it is free again at the latest. */
  held: Map<StreamId, number>;
  waiting: Set<StreamId>;
};

export class Advances {
  readonly #give: (stream: StreamId) => void;
  readonly #nowMs: () => number;
  readonly #sources = new Map<string, Places>();
  readonly #sourceOf = new Map<StreamId, string>();
  #tidiedMs = Number.NEGATIVE_INFINITY;

  constructor({ give, nowMs }: { give(stream: StreamId): void; nowMs(): number }) {
    this.#give = give;
    this.#nowMs = nowMs;
  }

  hear(news: AdvanceNews): void {
    if (news.is === "asks") this.ask(news.stream, news.source);
    else this[news.is](news.stream);
  }

  /** It is given a place now or when one is free. Who asks again keeps the one that he has. */
  ask(stream: StreamId, { is, name }: VoiceSource): void {
    this.#tidy();
    const source = `${is} ${name}`;
    const places = this.#sources.get(source) ?? { most: MOST[is], held: new Map(), waiting: new Set() };
    this.#sources.set(source, places);
    this.#sourceOf.set(stream, source);
    places.waiting.add(stream);
    this.#serve(places);
  }

  /** Something has come from where it speaks to: its place is the next one's. */
  proved(stream: StreamId): void {
    this.#leave(stream, (places) => places.held.delete(stream));
  }

  /** It is over, or speaks elsewhere, and nothing has come: the place stays taken for its time. */
  gone(stream: StreamId): void {
    this.#leave(stream, () => undefined);
  }

  #leave(stream: StreamId, free: (places: Places) => void): void {
    const source = this.#sourceOf.get(stream);
    const places = source === undefined ? undefined : this.#sources.get(source);
    this.#sourceOf.delete(stream);
    if (!places) return;
    places.waiting.delete(stream);
    free(places);
    this.#serve(places);
  }

  #serve(places: Places): void {
    const nowMs = this.#nowMs();
    forgetPast(places, nowMs);
    for (const stream of places.waiting) {
      if (places.held.size >= places.most && !places.held.has(stream)) continue;
      places.waiting.delete(stream);
      places.held.set(stream, Math.max(places.held.get(stream) ?? 0, nowMs + IN_VAIN_MS));
      this.#give(stream);
    }
  }

  /** Sources that have not asked for long are forgotten. */
  #tidy(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#tidiedMs < IN_VAIN_MS) return;
    this.#tidiedMs = nowMs;
    for (const [source, places] of this.#sources) {
      forgetPast(places, nowMs);
      if (places.held.size + places.waiting.size === 0) this.#sources.delete(source);
    }
  }
}

function forgetPast({ held }: Places, nowMs: number): void {
  for (const [stream, untilMs] of held) if (untilMs <= nowMs) held.delete(stream);
}
