// What takes one party of one call to its goal knows and may do. One guide a journey; it is gone when the journey ends.

import type { CodecName, Sound } from "../../media/engine.ts";
import { turkishTones } from "../../media/tone.ts";
import type { Header } from "../../sip/message/message.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Call, Led } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";
import type { Leg } from "../calls/leg.ts";
import type { ExchangeParts } from "../exchange-parts.ts";
import { type Language, parseTarget } from "../plan/target.ts";
import { Line } from "./line.ts";

/** A call that is forwarded in circles ends here. */
const MOST_FORWARDS = 5;

export class Guide {
  readonly call: Call<Goal>;
  readonly leg: Leg | undefined;
  readonly signal: AbortSignal;
  readonly book: CallSettings;
  readonly exchange: ExchangeParts;
  readonly #lead: (guide: Guide, goal: Goal) => Promise<Led>;
  readonly #visited = new Map<string, number>();
  #forwards = 0;
  #ringback = false;
  #quiet = false;

  constructor(
    exchange: ExchangeParts,
    journey: { call: Call<Goal>; leg: Leg | undefined; signal: AbortSignal; book: CallSettings },
    lead: (guide: Guide, goal: Goal) => Promise<Led>,
  ) {
    this.exchange = exchange;
    this.call = journey.call;
    this.leg = journey.leg;
    this.signal = journey.signal;
    this.book = journey.book;
    this.#lead = lead;
  }

  /** The caller's codec first: then nothing has to be translated. */
  codecs(): CodecName[] {
    const own = this.leg?.codec();
    const all = this.exchange.codecs;
    return own ? [own, ...all.filter((codec) => codec !== own)] : [...all];
  }

  /** What the caller's request might still pass, less us: a call in a circle between exchanges has an end (RFC 7332). */
  hops(): Header[] {
    const hops = this.leg?.hops;
    return hops === undefined ? [] : [{ name: "Max-Forwards", value: String(Math.max(0, hops - 1)) }];
  }

  /** The party we lead, for a script that speaks with it. */
  line(): Line {
    const { call, leg, signal } = this;
    const { media, clock } = this.exchange;
    if (!leg) throw new Error("nobody is on the line yet");
    return new Line({ call, leg, signal, media, clock });
  }

  async sound(id: number): Promise<Sound | undefined> {
    const path = await this.exchange.sound(this.book.settings.id, id);
    return path === undefined ? undefined : { is: "file", path };
  }

  async speak(text: string, language: Language, speed = 1): Promise<Sound | undefined> {
    const path = await this.exchange.speak(text, language, speed);
    return path === undefined ? undefined : { is: "file", path };
  }

  /** How often the caller has now been at such a place on this journey. */
  visits(place: string): number {
    const times = (this.#visited.get(place) ?? 0) + 1;
    this.#visited.set(place, times);
    return times;
  }

  /** A target as it is stored: in a menu's key, a group's or a queue's way out. */
  goTo(text: string): Promise<Led> {
    const target = parseTarget(text);
    if ("to" in target) return this.#lead(this, { is: "target", target });
    this.call.tell({ is: "not-a-target", target: text });
    return Promise.resolve({ failed: { cause: "NO_ROUTE_DESTINATION" } });
  }

  /** The same journey under another signal: several are rung at once, and the first stops the rest. */
  alongside(signal: AbortSignal): Guide {
    const { call, leg, book } = this;
    return new Guide(this.exchange, { call, leg, signal, book }, this.#lead);
  }

  /** Rings somebody while the caller goes on hearing what he hears: music in a queue, not the ringing. */
  quietly(signal: AbortSignal): Guide {
    const guide = this.alongside(signal);
    guide.#quiet = true;
    return guide;
  }

  /** `by` is the extension that wishes it: its rights are what count from here on. */
  forward(by: string, to: string): Promise<Led> {
    this.#forwards += 1;
    this.call.tell({ is: "forwards", extension: by, to });
    if (this.#forwards > MOST_FORWARDS) return Promise.resolve({ failed: { cause: "EXCHANGE_ROUTING_ERROR" } });
    const target = parseTarget(to);
    const goal: Goal = "to" in target ? { is: "target", target, by } : { is: "dialled", number: to, by };
    return this.#lead(this, goal);
  }

  /** Somebody rings for us: the caller shall know, by his phone's own tone or by ours. */
  rings(leg: Leg): void {
    this.call.rang(leg);
    if (this.#quiet) return;
    this.leg?.ring();
    const stream = this.leg?.isAnswered() ? this.leg.stream() : undefined;
    if (stream === undefined || this.#ringback) return;
    this.#ringback = true;
    void this.exchange.media.play(stream, { sounds: [{ is: "tone", spec: turkishTones.ringback }], repeat: "forever" });
  }

  /** The network plays its own ringing or words. */
  lets(other: Leg): void {
    if (this.leg && !this.#quiet) void this.call.conversation.preview(this.leg, other);
  }
}
