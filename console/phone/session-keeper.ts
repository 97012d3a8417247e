// Keeps the page's session with the exchange: asks for it, and for the next one before its login runs out.

import type { WebphoneSession } from "../../src/http/webphone/shown.ts";
import type { ExchangeClient } from "./exchange-client.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";

const TRY_AGAIN_MS = 2_000;

export class SessionKeeper {
  readonly #desk: ExchangeClient;
  readonly #store: Store<PhoneState>;
  readonly #use: (login: WebphoneSession["login"]) => void;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  /** `use`: the next login, for a telephone that is up. */
  constructor(desk: ExchangeClient, store: Store<PhoneState>, use: (login: WebphoneSession["login"]) => void) {
    this.#desk = desk;
    this.#store = store;
    this.#use = use;
  }

  /** Asks until the exchange answers; undefined when it does not know the token any more. */
  async open(): Promise<WebphoneSession | undefined> {
    for (;;) {
      const asked = await this.#desk.session();
      if (asked.is === "gone") return this.#expire();
      if (asked.is === "said") return this.#show(asked.value);
      this.#store.change({ link: "lost" });
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }

  async renew(): Promise<void> {
    this.pause();
    const session = await this.open();
    if (!session) return;
    this.#use(session.login);
    this.renewLater(session);
  }

  /** Halfway through the login, or as soon as the token itself is over, so that its owner hears of it. */
  renewLater({ login, expiresAtMs }: WebphoneSession): void {
    this.pause();
    const untilExpiryMs = Math.max(0, expiresAtMs - Date.now()) + TRY_AGAIN_MS;
    this.#renewal = setTimeout(() => void this.renew(), Math.min((login.seconds * 1_000) / 2, untilExpiryMs));
  }

  pause(): void {
    clearTimeout(this.#renewal);
  }

  /** A call that is up goes on. */
  #expire(): undefined {
    this.#store.change(({ lines }) => ({ isExpired: true, ...(lines.length === 0 ? { link: "refused" } : {}) }));
  }

  #show(session: WebphoneSession): WebphoneSession {
    const { login: _secret, ...shown } = session;
    this.#store.change({ session: shown, dnd: shown.dnd, agent: shown.agent, callerId: shown.callerId });
    return session;
  }
}
