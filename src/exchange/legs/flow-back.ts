// The way to a phone whose connection ended with an earlier process: what we have to say waits until it is back.

import type { Clock } from "../../clock.ts";
import { backTo } from "../../sip/transport/destination.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";

/** Tells each time it is there again; call what is returned to stop. */
export type CameBack = (tell: (flow: Destination) => void) => () => void;

/** As long as any request may take; after that it is tried where the phone said that it is. */
const PATIENCE_MS = 32_000;

export class FlowBack {
  readonly #found: (flow: Destination) => void;
  readonly #patience: Promise<void>;
  #endPatience: () => void = () => undefined;
  #stopListening: (() => void) | undefined;
  #isWaiting = true;
  #isOver = false;

  constructor(clock: Clock, cameBack: CameBack, found: (flow: Destination) => void) {
    this.#found = found;
    this.#patience = new Promise((resolve) => {
      const cancel = clock.after(PATIENCE_MS, () => this.#giveUp());
      this.#endPatience = () => {
        cancel();
        resolve();
      };
    });
    const stop = cameBack((flow) => this.#take(flow));
    this.#stopListening = stop;
    if (!this.#isWaiting) this.#listenNoMore();
  }

  /** Kept once it is back, or has been waited for long enough. */
  wait(): Promise<void> {
    return this.#patience;
  }

  /** It asks something before it has registered. */
  heard(source: Source): void {
    if (this.#isWaiting && source.connection !== undefined) this.#take(backTo(source));
  }

  /** Nobody says anything more than what waits already. */
  stop(): void {
    this.#isOver = true;
    if (!this.#isWaiting) this.#listenNoMore();
  }

  #take(flow: Destination): void {
    this.#isWaiting = false;
    this.#found(flow);
    this.#endPatience();
    this.#listenNoMore();
  }

  /** It may still come, for as long as the call lasts. */
  #giveUp(): void {
    this.#endPatience();
    if (!this.#isOver) return;
    this.#isWaiting = false;
    this.#listenNoMore();
  }

  #listenNoMore(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}
