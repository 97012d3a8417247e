// The media half of a leg: one stream, and the offers and answers that say what flows in it.

import type { CodecName, MediaEngine, StreamId } from "../../media/engine.ts";
import { type Agreed, isHeldByThem, type NoAgreement, type Wishes } from "../../sdp/agreed.ts";
import { answerOffer, makeOffer, readAnswer } from "../../sdp/negotiate.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { printSdp } from "../../sdp/print.ts";
import type { Random } from "../../sip/random.ts";

export type MediaWishes = {
  /** In order of preference. */
  codecs: readonly CodecName[];
  /** The SIP peer's address: media may come from there when its SDP names one behind NAT. */
  peerHint: string;
  near?: StreamId | undefined;
};

export type Refused = { refused: NoAgreement["why"] | "malformed" };

const SRTP_KEY_OCTETS = 30;

export class MediaSide {
  readonly #engine: MediaEngine;
  readonly #random: Random;
  readonly #wishes: MediaWishes;
  readonly #sessionId: string;
  #opened: Promise<{ stream: StreamId; address: string; port: number }> | undefined;
  #stream: StreamId | undefined;
  #version = 0;
  #agreed: Agreed | undefined;
  #lastSdp: string | undefined;
  #offered: Wishes | undefined;
  #srtpKey: string | undefined;
  #closed = false;

  constructor({ engine, random, wishes }: { engine: MediaEngine; random: Random; wishes: MediaWishes }) {
    this.#engine = engine;
    this.#random = random;
    this.#wishes = wishes;
    this.#sessionId = String(numberFrom(random(4)));
  }

  /** Undefined until both sides have agreed: before that there is nothing to join or to play to. */
  stream(): StreamId | undefined {
    return this.#agreed ? this.#stream : undefined;
  }

  codec(): CodecName | undefined {
    return this.#agreed?.codec;
  }

  isHeld(): boolean {
    return this.#agreed !== undefined && isHeldByThem(this.#agreed);
  }

  /** What we last said, for peers that only want to hear it again. */
  lastSdp(): string | undefined {
    return this.#lastSdp;
  }

  async offer(): Promise<string> {
    // What we offer ourselves is plain, which every phone understands; encryption is taken whenever it is offered to us.
    this.#offered = { ...(await this.#describe(undefined)), srtp: "never" };
    return this.#say(printSdp(makeOffer(this.#offered)));
  }

  /** Their answer to our offer. */
  async understand(answer: string): Promise<Agreed | Refused> {
    const parsed = parseSdp(answer);
    if (parsed.is === "malformed" || !this.#offered) return { refused: "malformed" };
    const understood = readAnswer(parsed.description, this.#offered);
    return understood.is === "agreed" ? this.#settle(understood.agreed) : { refused: understood.why };
  }

  /** Our answer to their offer, in the preferred codec where they know it. */
  async answer(offer: string, prefer?: CodecName): Promise<{ sdp: string } | Refused> {
    const parsed = parseSdp(offer);
    if (parsed.is === "malformed") return { refused: "malformed" };
    const answered = answerOffer(parsed.description, await this.#describe(prefer ?? this.#agreed?.codec));
    if (answered.is === "refused") return { refused: answered.why };
    await this.#settle(answered.agreed);
    return { sdp: this.#say(printSdp(answered.answer)) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opened;
    if (opened) await this.#engine.close(opened.stream);
  }

  async #settle(agreed: Agreed): Promise<Agreed> {
    const { stream } = await this.#open();
    if (!this.#closed) await this.#engine.settle(stream, agreed);
    this.#agreed = agreed;
    return agreed;
  }

  #open() {
    this.#opened ??= this.#engine
      .open({
        peerHint: this.#wishes.peerHint,
        ...(this.#wishes.near === undefined ? {} : { near: this.#wishes.near }),
      })
      .then((opened) => {
        this.#stream = opened.stream;
        return opened;
      });
    return this.#opened;
  }

  async #describe(prefer: CodecName | undefined): Promise<Wishes> {
    const { address, port } = await this.#open();
    this.#version += 1;
    this.#srtpKey ??= base64(this.#random(SRTP_KEY_OCTETS));
    const { codecs } = this.#wishes;
    const first = prefer && codecs.includes(prefer) ? [prefer] : [];
    return {
      codecs: [...first, ...codecs.filter((codec) => !first.includes(codec))],
      address,
      port,
      srtp: "allow",
      srtpKey: this.#srtpKey,
      session: { id: this.#sessionId, version: this.#version },
    };
  }

  #say(sdp: string): string {
    this.#lastSdp = sdp;
    return sdp;
  }
}

function numberFrom(octets: Uint8Array): number {
  return octets.reduce((number, octet) => (number * 256 + octet) >>> 0, 0);
}

function base64(octets: Uint8Array): string {
  return btoa(String.fromCharCode(...octets));
}
