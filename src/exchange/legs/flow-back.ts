// The way to a phone whose connection ended with an earlier process: what we have to say waits until it is back.

import type { Clock } from "../../clock.ts";
import { backTo } from "../../sip/transport/destination.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";

/** Tells each time it is there again; call what is returned to stop. */
export type CameBack = (tell: (flow: Destination) => void) => () => void;

/** As long as any request may take; after that it is tried where the phone said that it is. */
const PATIENCE_MS = 32_000;
/** The longest registration: who has not come back by then is not coming. */
const LONGEST_MS = 7_200_000;

export class FlowBack {
  readonly #found: (flow: Destination) => void;
  /** Who waits for a while, and who for as long as it takes. */
  readonly #patience: Latch;
  readonly #back: Latch;
  #stopListening: (() => void) | undefined;
  #isBack = false;

  constructor(clock: Clock, cameBack: CameBack, found: (flow: Destination) => void) {
    this.#found = found;
    this.#patience = new Latch(clock, PATIENCE_MS);
    this.#back = new Latch(clock, LONGEST_MS);
    void this.#back.open.then(() => this.stop());
    this.#stopListening = cameBack((flow) => this.#take(flow));
    if (this.#isBack) this.stop();
  }

  /** Kept once it is back, or has been waited for long enough. */
  wait(): Promise<void> {
    return this.#patience.open;
  }

  /** For what could not be said where it was looked for: whether it is back after all. */
  async comesBack(): Promise<boolean> {
    await this.#back.open;
    return this.#isBack;
  }

  /** It asks something before it has registered. */
  heard(source: Source): void {
    if (!this.#isBack && source.connection !== undefined) this.#take(backTo(source));
  }

  /** Nobody waits for it any more. */
  stop(): void {
    this.#patience.release();
    this.#back.release();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #take(flow: Destination): void {
    this.#isBack = true;
    this.#found(flow);
    this.stop();
  }
}

/** Opens by itself after a while. */
class Latch {
  readonly open: Promise<void>;
  release: () => void = () => undefined;

  constructor(clock: Clock, afterMs: number) {
    this.open = new Promise((resolve) => {
      const cancel = clock.after(afterMs, resolve);
      this.release = () => {
        cancel();
        resolve();
      };
    });
  }
}
