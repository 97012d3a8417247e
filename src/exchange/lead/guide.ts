// What takes one party of one call to its goal knows and may do. One guide a journey; it is gone when the journey ends.

import type { Clock } from "../../clock.ts";
import type { CodecName, MediaEngine, Sound } from "../../media/engine.ts";
import { turkishTones } from "../../media/tone.ts";
import type { Header } from "../../sip/message/message.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Call, Led } from "../calls/call.ts";
import type { HangupCause } from "../calls/causes.ts";
import { dialledGoal, type Goal } from "../calls/goal.ts";
import type { Leg } from "../calls/leg.ts";
import type { PhoneNumber } from "../plan/numbers.ts";
import type { SentOnBy } from "../plan/sent-on.ts";
import { type Language, parseTarget } from "../plan/target.ts";
import { Attendant } from "./attendant.ts";

/** What the exchange says to people. */
export type Voice = {
  /** The playable file of a sound of the exchange; undefined when it has no such sound. */
  sound(exchangeId: number, id: number): Promise<string | undefined>;
  /** A file in which the text is spoken; undefined without a voice. */
  speak(exchangeId: number, text: string, language: Language, speed?: number): Promise<string | undefined>;
};

/** What every journey needs. */
export type GuideMeans = {
  clock: Clock;
  media: MediaEngine;
  voice: Voice;
  /** Those we speak, the preferred first. */
  /** Takes a journey to another goal. */
  lead(guide: Guide, goal: Goal): Promise<Led>;
};

/** A call that is forwarded in circles ends here. */
const MOST_FORWARDS = 5;
/** Also when others are part of the circle. */
const MOST_SENT_ON = 10;

type Journey = Pick<Guide, "call" | "leg" | "signal" | "book">;

/** What a journey remembers of itself, whichever script has it. */
type Memory = { visited: Map<string, number>; forwards: string[]; sentOnBy: SentOnBy[]; ringback: { on: boolean } };

export class Guide<Needs = unknown> {
  readonly call: Call<Goal>;
  readonly leg: Leg | undefined;
  readonly signal: AbortSignal;
  readonly book: CallSettings;
  readonly clock: Clock;
  readonly media: MediaEngine;
  /** The few things that the script at hand names. */
  readonly has: Needs;
  readonly #means: GuideMeans;
  readonly #memory: Memory;
  #quiet = false;
  /** One of several that are tried for the same party: where it goes is not where the party goes. */
  #isAside = false;

  constructor(
    means: GuideMeans,
    { call, leg, signal, book }: Journey,
    has: Needs,
    memory: Memory = { visited: new Map(), forwards: [], sentOnBy: [], ringback: { on: false } },
  ) {
    this.#means = means;
    this.#memory = memory;
    this.has = has;
    this.clock = means.clock;
    this.media = means.media;
    this.call = call;
    this.leg = leg;
    this.signal = signal;
    this.book = book;
  }

  /** The same journey, for a script that needs these things. */
  having<Others>(needs: Others): Guide<Others> {
    const guide = new Guide(this.#means, this, needs, this.#memory);
    guide.#quiet = this.#quiet;
    guide.#isAside = this.#isAside;
    return guide;
  }

  isAside = (): boolean => this.#isAside;

  /** Runs the script of a goal: as far as the party is led there, it is where a later process would go on. */
  async towards(goal: Goal, script: () => Promise<Led>): Promise<Led> {
    if (this.#isAside) return script();
    const leave = this.call.headsFor(goal);
    return script().finally(leave);
  }

  /** Of those that the called party may speak, the caller's first: then nothing has to be translated. */
  codecs(allowed: readonly CodecName[]): CodecName[] {
    const own = this.leg?.codec();
    const first = own && allowed.includes(own) ? [own] : [];
    return [...first, ...allowed.filter((codec) => codec !== own)];
  }

  /** What the caller's request might still pass, less us: a call in a circle between exchanges has an end (RFC 7332). */
  hops(): Header[] {
    const hops = this.leg?.hops;
    return hops === undefined ? [] : [{ name: "Max-Forwards", value: String(Math.max(0, hops - 1)) }];
  }

  /** The party we lead, for a script that speaks with it. */
  attendant(): Attendant {
    const { call, leg, signal, media, clock } = this;
    if (!leg) throw new Error("nobody is on the line yet");
    return new Attendant({ call, leg, signal, media, clock });
  }

  async sound(id: number): Promise<Sound | undefined> {
    const path = await this.#means.voice.sound(this.book.settings.id, id);
    return path === undefined ? undefined : { is: "file", path };
  }

  async speak(text: string, language: Language, speed = 1): Promise<Sound | undefined> {
    const path = await this.#means.voice.speak(this.book.settings.id, text, language, speed);
    return path === undefined ? undefined : { is: "file", path };
  }

  /** How often the caller has now been at such a place on this journey. */
  visits(place: string): number {
    const times = (this.#memory.visited.get(place) ?? 0) + 1;
    this.#memory.visited.set(place, times);
    return times;
  }

  /** The same journey, to another goal. */
  goOn(goal: Goal): Promise<Led> {
    return this.#means.lead(this, goal);
  }

  /** A target as it is stored: in a menu's key, a group's or a queue's way out. */
  goTo(text: string): Promise<Led> {
    const target = parseTarget(text);
    if ("to" in target) return this.goOn({ is: "target", target });
    this.call.tell({ is: "not-a-target", target: text });
    return Promise.resolve({ failed: { cause: "NO_ROUTE_DESTINATION" } });
  }

  /** The same journey under another signal: several are rung at once, and the first stops the rest. */
  alongside(signal: AbortSignal): Guide<Needs> {
    const { call, leg, book, has } = this;
    const { visited, forwards, sentOnBy, ringback } = this.#memory;
    const own = { visited: new Map(visited), forwards: [...forwards], sentOnBy: [...sentOnBy], ringback };
    const guide = new Guide(this.#means, { call, leg, signal, book }, has, own);
    guide.#isAside = true;
    return guide;
  }

  /** Rings somebody while the caller goes on hearing what he hears: music in a queue, not the ringing. */
  quietly(signal: AbortSignal): Guide<Needs> {
    const guide = this.alongside(signal);
    guide.#quiet = true;
    return guide;
  }

  /** `by` is the extension that wants it: its rights are what count from here on. `because` is why it was not reached. */
  forward(by: string, to: string, because: HangupCause, reason: SentOnBy["reason"] = "unconditional"): Promise<Led> {
    const isTooFar = this.#sendOn(by, to, reason);
    if (because !== "REDIRECTION_TO_NEW_DESTINATION") this.call.note({ lastCause: because });
    if (isTooFar) return Promise.resolve({ failed: { cause: "EXCHANGE_ROUTING_ERROR" } });
    const target = parseTarget(to);
    if ("to" in target) return this.goOn({ is: "target", target, by });
    return this.goOn(dialledGoal(to, by, this.book));
  }

  /** To a number, and nobody there sends the call on. */
  forwardOnce(by: string, { number, to, seconds }: { number: PhoneNumber; to: string; seconds: number }): Promise<Led> {
    this.#sendOn(by, to, "unconditional");
    return this.goOn({ is: "number", number, by, seconds, isOneOfMany: true });
  }

  #sendOn(by: string, to: string, reason: SentOnBy["reason"]): boolean {
    const { forwards, sentOnBy } = this.#memory;
    const isCircle = forwards.includes(`${by} ${to}`);
    forwards.push(`${by} ${to}`);
    sentOnBy.unshift({ number: by, name: this.book.extensions.get(by)?.name ?? "", reason, hidden: false });
    this.call.tell({ is: "forwards", extension: by, to });
    if (isCircle) this.call.tell({ is: "circle" });
    return isCircle || forwards.length > MOST_FORWARDS || this.sentOnBy().length > MOST_SENT_ON;
  }

  /** Who has sent it on, here and before it came here, the last first. */
  sentOnBy(): SentOnBy[] {
    return [...this.#memory.sentOnBy, ...(this.call.facts.sentOnBy ?? [])];
  }

  /** Whether one of ours has sent it on. */
  isSentOn(): boolean {
    return this.#memory.sentOnBy.length > 0;
  }

  /** Somebody rings for us, or is being fetched: the caller shall know, by his phone's own tone or by ours. */
  rings(leg: Leg | undefined): void {
    if (leg) this.call.rang(leg);
    if (this.#quiet) return;
    this.leg?.ring();
    const stream = this.leg?.isAnswered() ? this.leg.stream() : undefined;
    if (stream === undefined || this.#memory.ringback.on) return;
    this.#memory.ringback.on = true;
    void this.media.play(stream, { sounds: [{ is: "tone", spec: turkishTones.ringback }], repeat: "forever" });
  }

  /** The network plays its own ringing or words. */
  lets(other: Leg): void {
    if (this.leg && !this.#quiet) void this.call.conversation.preview(this.leg, other);
  }
}
