// Signs of life of one leg (RFC 4028): agreed when it is answered, given or awaited for as long as it lasts.

import { type Clock, momentOf, since, stampOf, type Ticks } from "../../clock.ts";
import type { Header, Request, Response } from "../../sip/message/message.ts";
import {
  type Keeping,
  keepSession,
  offerSession,
  preferenceAfterRefusal,
  SESSION_PREFERENCE,
  type Session,
  type SessionPreference,
  sessionAsCallee,
  sessionAsCaller,
} from "../../sip/session-timer.ts";
import type { KeptSession } from "../calls/kept-leg.ts";

export type SessionHears = {
  /** Our turn to give a sign: resolves to whether the other side took it. */
  refresh(headers: Header[]): Promise<Response | undefined>;
  /** Nobody gave one. */
  expire(): void;
  /** What was agreed on is renewed, or different. */
  agreed(): void;
};

export class SessionSide {
  readonly #clock: Clock;
  readonly #hears: SessionHears;
  #preference: SessionPreference = SESSION_PREFERENCE;
  #session: Session | undefined;
  #agreed: Ticks;
  #keeping: Keeping | undefined;

  constructor(clock: Clock, hears: SessionHears, kept?: KeptSession) {
    this.#clock = clock;
    this.#agreed = clock.ticks();
    this.#hears = hears;
    if (!kept) return;
    this.#preference = kept.preference;
    this.#agreed = momentOf(clock, kept.agreedAtMs);
    this.#session = kept.session;
    if (kept.session) this.#begin(kept.session, Math.max(1, since(clock, this.#agreed)));
  }

  keep(): KeptSession {
    return { preference: this.#preference, session: this.#session, agreedAtMs: stampOf(this.#clock, this.#agreed) };
  }

  /** For our INVITE. */
  offer(): Header[] {
    return offerSession(this.#preference);
  }

  /** After a 422: whether it is worth asking again. */
  adapt(refusal: Response): boolean {
    const preference = preferenceAfterRefusal(refusal, this.#preference);
    this.#preference = preference ?? this.#preference;
    return preference !== undefined;
  }

  /** Their 2xx to our INVITE. */
  accepted(response: Response): void {
    this.#keep(sessionAsCaller(response));
  }

  /** What our 2xx to their INVITE, re-INVITE or UPDATE says; from now on the session runs. */
  accept(request: Request): Header[] {
    const answer = sessionAsCallee(request, this.#preference);
    if ("refuse" in answer) return [];
    this.#keep(answer.session);
    return answer.headers;
  }

  /** For a re-INVITE of ours with something else to say. */
  renewing(): Header[] {
    return this.#session ? offerSession(this.#preference, this.#session) : [];
  }

  /** Their 2xx to it. */
  renewed(response: Response): void {
    if (this.#session) this.#keep(sessionAsCaller(response));
  }

  stop(): void {
    this.#keeping?.stop();
  }

  #keep(session: Session | undefined): void {
    this.#session = session;
    this.#agreed = this.#clock.ticks();
    this.#hears.agreed();
    if (!session) return this.stop();
    if (this.#keeping) return this.#keeping.renewed(session);
    return this.#begin(session);
  }

  #begin(session: Session, agoMs?: number): void {
    this.#keeping = keepSession({
      clock: this.#clock,
      session,
      agoMs,
      refresh: () => void this.#refresh(),
      expire: () => this.#hears.expire(),
    });
  }

  /** The same call once more, with something new to say. */
  async renew(news: Header[]): Promise<void> {
    if (this.#session) return this.#refresh(news);
    await this.#hears.refresh(news);
  }

  async #refresh(news: Header[] = []): Promise<void> {
    const response = await this.#hears.refresh([...offerSession(this.#preference, this.#session), ...news]);
    // What fails to be refreshed runs out by itself.
    if (response && response.status < 300) this.#keep(sessionAsCaller(response));
  }
}
