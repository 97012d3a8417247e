// The exchange's side of the WebRTC gateway: starts its process when the first browser calls, and again when it died.

import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Cancel, Clock } from "../../clock.ts";
import { type CodecName, codecs } from "../../codecs/codec.ts";
import { startOwnProcess } from "../../programs/own-process.ts";
import type { Agreed } from "../../sdp/agreed.ts";
import { suitable } from "./description.ts";
import {
  type FromGateway,
  type GatewayAnswers,
  type GatewayRequest,
  type GatewaySettings,
  INSIDE_EVENT_TYPE,
  type PeerId,
  type Settled,
} from "./messages.ts";

export type WebRefused = { refused: "webrtc" | "no-common-codec" };

/** One browser's connection, from offer to close. */
export type WebPeer = {
  answer(offer: string, codecs: readonly CodecName[]): Promise<{ sdp: string; agreed: Agreed } | WebRefused>;
  /** Throws when there are as many browsers as may be. */
  offer(codecs: readonly CodecName[]): Promise<string>;
  understand(answer: string): Promise<{ agreed: Agreed } | WebRefused>;
  close(): Promise<void>;
};

export type WebGateway = {
  /** Where it meets the engine on this machine; undefined where the engine itself speaks with browsers. */
  readonly inside: string | undefined;
  /** Starts what it needs before anybody calls: the first call must not wait for it. */
  warm(): void;
  open(options: WebPeerOptions): WebPeer;
  /** Those that are up. */
  peers(): Promise<number>;
  stop(): Promise<void>;
};

export type WebPeerOptions = {
  /** Where the engine's stream listens. */
  enginePort: number;
  /** What an earlier process had agreed on with it. */
  before?: Agreed | undefined;
  /** The browser or the gateway itself is gone. */
  lost(why: string): void;
  /** Nothing is heard from the browser any more, or again. */
  quiet?(on: boolean): void;
};

export type WebGatewayOptions = {
  settings: GatewaySettings;
  /** The built `webrtc-gateway.js`. */
  processPath: string;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
};

export type GatewayDrill = WebGateway & {
  /** For drills: the process, while it runs. */
  pid(): number | undefined;
};

const GONE = Symbol("the gateway is gone");
/** An answer takes a tenth of a second, and the first one some more while the process starts; a busy machine needs patience. */
const ANSWER_MS = 10_000;
/** A process that lets so many questions in a row pass unanswered is stuck. */
const MOST_UNANSWERED = 3;
const LEAVE_MS = 2_000;
const MOST_MEMORY_MB = 4_000;
/** Audio that comes late is as bad as none. Only root may ask for it. */
const NICENESS = -10;

export function openWebGateway(options: WebGatewayOptions): GatewayDrill {
  return new Gateway(options);
}

class Gateway implements GatewayDrill {
  readonly #options: WebGatewayOptions;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  readonly #peers = new Map<PeerId, Pick<WebPeerOptions, "lost" | "quiet">>();
  #child: ChildProcess | undefined;
  #lastNumber = 0;
  #unanswered = 0;
  #isStopped = false;

  constructor(options: WebGatewayOptions) {
    this.#options = options;
  }

  get inside(): string {
    return this.#options.settings.inside;
  }

  warm(): void {
    if (!this.#isStopped) this.#child ??= this.#start();
  }

  open({ enginePort, lost, quiet }: WebPeerOptions): WebPeer {
    const peer = randomUUID();
    this.#peers.set(peer, { lost, ...(quiet && { quiet }) });
    const agreed = (settled: Settled) => this.#agreed(settled);
    return {
      answer: async (offer, codecs) => {
        const value = await this.#ask({ do: "answer", peer, enginePort, offer, codecs: suitable(codecs) });
        return this.#isNo(value) ? refusal(value) : { sdp: value.sdp, agreed: agreed(value) };
      },
      offer: async (codecs) => {
        const value = await this.#ask({ do: "offer", peer, enginePort, codecs: suitable(codecs) });
        if (this.#isNo(value)) throw new Error("the WebRTC gateway makes no offer");
        return value.sdp;
      },
      understand: async (answer) => {
        const value = await this.#ask({ do: "understand", peer, answer });
        return this.#isNo(value) ? refusal(value) : { agreed: agreed(value) };
      },
      close: async () => {
        if (this.#peers.delete(peer) && this.#child) await this.#ask({ do: "close", peer });
      },
    };
  }

  async peers(): Promise<number> {
    if (!this.#child) return 0;
    const value = await this.#ask({ do: "count" });
    return value === GONE ? 0 : value.peers;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child) return;
    const left = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const cancel = this.#options.clock.after(LEAVE_MS, () => child.kill("SIGKILL"));
    child.disconnect();
    await left;
    cancel();
  }

  #agreed({ codec, digits, direction, insidePort }: Settled): Agreed {
    return {
      codec,
      payloadType: codecs[codec].payloadType,
      ...(digits ? { telephoneEvent: INSIDE_EVENT_TYPE } : {}),
      remote: { address: this.#options.settings.inside, port: insidePort },
      rtcpMux: true,
      direction,
    };
  }

  #ask<Do extends GatewayRequest["do"]>(
    request: GatewayRequest & { do: Do },
  ): Promise<GatewayAnswers[Do] | typeof GONE> {
    if (this.#isStopped) return Promise.resolve(GONE);
    this.#child ??= this.#start();
    const child = this.#child;
    const number = ++this.#lastNumber;
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ANSWER_MS, () => this.#tooLate(child, number));
      this.#waiting.set(number, answered(resolve, cancel));
      // A channel that has just closed says so here; the exit that follows answers whoever waits.
      child.send({ number, request }, () => undefined);
    });
  }

  /** Says why in the log: the other side is only told that it cannot be. */
  #isNo(value: object | symbol): value is { refused: string } | typeof GONE {
    if (value !== GONE && !(typeof value === "object" && "refused" in value)) return false;
    this.#options.log.warn(value === GONE ? { refused: "gone" } : (value as object), "a browser's call was refused");
    return true;
  }

  #tooLate(child: ChildProcess, number: number): void {
    this.#unanswered += 1;
    this.#waiting.get(number)?.(GONE);
    this.#waiting.delete(number);
    if (this.#unanswered < MOST_UNANSWERED || child !== this.#child) return;
    this.#options.log.warn({ pid: child.pid }, "the WebRTC gateway is stuck and is started anew");
    child.kill("SIGKILL");
  }

  #start(): ChildProcess {
    const { processPath, settings, log } = this.#options;
    this.#unanswered = 0;
    // Where it speaks with browsers the library opens sockets by itself.
    const means = { sight: { reads: [], writes: [] }, network: "shared", niceness: NICENESS } as const;
    const child = startOwnProcess({ path: processPath, settings, memoryMb: MOST_MEMORY_MB, ...means });
    log.info({ pid: child.pid }, "the WebRTC gateway runs");
    child.on("message", (message: FromGateway) => this.#hear(message));
    child.once("error", (error) => {
      log.warn({ error: error.message }, "the WebRTC gateway broke");
      if (child.pid === undefined) this.#died(child, error.message); // it never began, and so never ends
    });
    child.once("exit", (code, signal) => this.#died(child, signal ?? code));
    return child;
  }

  #hear(message: FromGateway): void {
    if (message.is === "lost") this.#lose(message.peer, message.why);
    else if (message.is === "quiet") this.#peers.get(message.peer)?.quiet?.(message.on);
    else if (message.is === "fault") this.#options.log.warn({ fault: message.text }, "a browser's connection broke");
    else {
      this.#unanswered = 0;
      this.#waiting.get(message.number)?.(message.value);
      this.#waiting.delete(message.number);
    }
  }

  #died(child: ChildProcess, how: string | number | null): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const answer of waiting) answer(GONE);
    if (!this.#isStopped) this.#options.log.warn({ how, peers: this.#peers.size }, "the WebRTC gateway died");
    for (const peer of [...this.#peers.keys()]) this.#lose(peer, "the WebRTC gateway died");
  }

  #lose(peer: PeerId, why: string): void {
    this.#peers.get(peer)?.lost(why);
  }
}

function answered(resolve: (value: never) => void, cancel: Cancel): (value: unknown) => void {
  return (value) => {
    cancel();
    resolve(value as never); // the process answers in kind
  };
}

function refusal(value: { refused: string } | typeof GONE): WebRefused {
  return { refused: value !== GONE && value.refused === "no-common-codec" ? "no-common-codec" : "webrtc" };
}
