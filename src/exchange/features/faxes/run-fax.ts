// Puts an answered leg into fax: sound first, data (T.38) when both sides want it, sound on when one refuses.

import type { Cancel, Clock } from "../../../clock.ts";
import { codecs, isLawName, lawNames } from "../../../codecs/codec.ts";
import type { MediaEngine, StreamId } from "../../../media/engine.ts";
import {
  type FaxEngine,
  type FaxEvent,
  type FaxOptions,
  type FaxResult,
  type FaxSession,
  failedFax,
} from "../../../media/fax/fax-engine.ts";
import type { AgreedImage } from "../../../sdp/image.ts";
import type { Leg } from "../../calls/leg.ts";

export type FaxCall = {
  leg: Leg;
  /** The party has gone, or is taken elsewhere: the fax ends with what it has. */
  signal: AbortSignal;
  media: MediaEngine;
  clock: Clock;
  fax: FaxEngine;
};

export type FaxDemands = FaxOptions & {
  /** `offer`: we ask for T.38 ourselves; `accept`: only when asked; `never`: sound. Default offer. */
  t38?: "offer" | "accept" | "never";
  /** A fax that takes longer is ended. */
  longestMs?: number;
  hear?(event: FaxEvent): void;
};

const LONGEST_MS = 60 * 60_000;
/** What is over for longer without the machine's word is over. */
const GOODBYE_MS = 5_000;
/** A machine that calls without a tone of its own may still know T.38. */
const WITHOUT_TONE_MS = 3_000;
/** It is the receiver's turn to ask; a sender does so when the receiver has been heard and has not. */
const SENDER_WAITS_MS = 1_500;
/** After two offers that crossed (RFC 3261 14.1): the sides must not choose the same moment again. */
const ASK_AGAIN_MS: Record<Leg["direction"], number> = { out: 2_500, in: 1_000 };
const REQUEST_PENDING = 491;

/** Never throws for what goes wrong on the line: that is in the result. The leg is left as it is, for the call to hang up. */
export async function runFax(call: FaxCall, wanted: FaxDemands): Promise<FaxResult> {
  if (call.signal.aborted) return failedFax("noCall", "The call ended before a fax began");
  const line = new FaxLine(call, wanted);
  try {
    return await line.run();
  } finally {
    await line.close();
  }
}

class FaxLine {
  readonly #call: FaxCall;
  readonly #wanted: FaxDemands;
  readonly #session: FaxSession;
  readonly #timers = new Set<Cancel>();
  readonly #untake: () => void;
  #sound: StreamId | undefined;
  /** `asking`: our re-INVITE is out. */
  #t38: "not yet" | "asking" | "agreed" | "refused";
  #isOver = false;

  constructor(call: FaxCall, wanted: FaxDemands) {
    const { t38: wantedMode = "offer", longestMs: _, hear: _hear, ...options } = wanted;
    const t38 = call.leg.image.isAllowed ? wantedMode : "never";
    this.#call = call;
    this.#wanted = { ...wanted, t38 };
    this.#t38 = t38 === "never" ? "refused" : "not yet";
    this.#session = call.fax.start(options);
    this.#session.listen((event) => this.#hear(event));
    this.#untake = call.leg.image.take((theirs) => this.#taken(theirs));
  }

  async run(): Promise<FaxResult> {
    const { signal } = this.#call;
    const { longestMs = LONGEST_MS } = this.#wanted;
    const ended = new Promise<FaxResult>((resolve) => {
      const end = (result: FaxResult) => {
        this.#session.terminate();
        this.#after(GOODBYE_MS, () => resolve(result));
      };
      signal.addEventListener("abort", () => end(failedFax("noCall", "The call ended")), { once: true });
      this.#after(longestMs, () => end(failedFax("tooLong", "The fax took too long")));
      void this.#session.done.then(resolve);
    });
    await this.#beginWithSound();
    if (this.#wanted.role === "receive") this.#askAfter(WITHOUT_TONE_MS);
    return ended;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const cancel of this.#timers) cancel();
    this.#untake();
    this.#session.close();
    await this.#endSound();
  }

  /** The machine is a party like any other to the engine, which passes its G.711 on undecoded. */
  async #beginWithSound(): Promise<void> {
    const { leg, media, fax } = this.#call;
    const stream = leg.stream();
    const agreed = leg.codec();
    const codec = agreed !== undefined && isLawName(agreed) ? agreed : lawNames[0]!;
    if (stream === undefined) return this.#session.terminate();
    const opened = await media.open({ near: stream, peerHint: fax.inside });
    this.#sound = opened.stream;
    const line = await this.#session.openAudio({ codec, enginePort: opened.port });
    // The machine's process is gone, and has said so; or T.38 was quicker.
    if ("refused" in line || this.#isOver || this.#t38 === "agreed") return this.#endSound();
    await media.settle(opened.stream, {
      codec,
      payloadType: codecs[codec].payloadType,
      remote: { address: fax.inside, port: line.port },
      rtcpMux: true,
      direction: "sendrecv",
    });
    // It is a fax by now: nobody needs to hear from the engine that it might be one.
    await media.listenFor(stream, { faxTones: false });
    await media.stopPlaying(stream);
    return media.join(stream, opened.stream);
  }

  async #endSound(): Promise<void> {
    const stream = this.#sound;
    this.#sound = undefined;
    if (stream !== undefined) await this.#call.media.close(stream);
  }

  #hear(event: FaxEvent): void {
    if (this.#isOver) return;
    if (event.is === "heard") this.#askAfter(this.#wanted.role === "send" ? SENDER_WAITS_MS : 0);
    if (event.is === "met" && this.#wanted.role === "send") this.#askAfter(0);
    this.#wanted.hear?.(event);
  }

  #askAfter(ms: number): void {
    if (this.#wanted.t38 !== "offer" || this.#t38 !== "not yet") return;
    this.#after(ms, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    if (this.#isOver || this.#t38 !== "not yet") return;
    this.#t38 = "asking";
    const opened = await this.#session.openT38();
    if ("refused" in opened || this.#isOver || this.#isAgreed()) return;
    const answer = await this.#call.leg.image.offer(opened.port);
    if (this.#isOver || this.#isAgreed()) return;
    if ("agreed" in answer) return this.#begin(answer.agreed);
    this.#t38 = answer.refused === REQUEST_PENDING ? "not yet" : "refused";
    if (this.#t38 === "not yet") this.#askAfter(ASK_AGAIN_MS[this.#call.leg.direction]);
  }

  /** The other side asks for it, or says where it has moved to. */
  async #taken(theirs: AgreedImage): Promise<number | undefined> {
    if (this.#wanted.t38 === "never" || this.#isOver) return undefined;
    const opened = await this.#session.openT38();
    if ("refused" in opened || this.#isOver) return undefined;
    await this.#begin(theirs);
    return opened.port;
  }

  async #begin(agreed: AgreedImage): Promise<void> {
    this.#t38 = "agreed";
    this.#session.beginT38(agreed, this.#call.leg.facts().address);
    await this.#endSound();
  }

  #isAgreed(): boolean {
    return this.#t38 === "agreed";
  }

  #after(ms: number, act: () => void): void {
    const cancel = this.#call.clock.after(ms, () => {
      this.#timers.delete(cancel);
      act();
    });
    this.#timers.add(cancel);
  }
}
