// Moves one carrier's queue: claims messages, tells them to the carrier as fast as both allow, and has the answers written.

import { runAgain } from "../again.ts";
import { type Cancel, type Clock, LONG_AGO, latest, type Ticks, until, within } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import type { CarrierRow } from "../store/sms-carriers.ts";
import { type Claim, claimMessages, dropUnheardClaims, type Shift, titlesWaiting } from "../store/sms-claims.ts";
import type { Claimed } from "../store/sms-messages.ts";
import type { Carrier, CarrierAnswer } from "./carrier.ts";
import { gsmErrorFor } from "./gsm-error.ts";
import { type Speed, speedOf } from "./speed.ts";
import type { WrittenAnswers } from "./written-answers.ts";

export type PumpParts = {
  db: Db;
  clock: Clock;
  log: Log;
  row: CarrierRow;
  carrier: Carrier;
  books: WrittenAnswers;
  shift: Shift;
};

/** Claimed at once: enough that the carrier's window never runs dry while more are claimed, few enough to be in doubt. */
const IN_HAND = { least: 100, most: 2_000 };
const RETRY_MS = 1_000;

export class Pump {
  readonly #parts: PumpParts;
  readonly #inHandMost: number;
  readonly #carrierSpeed: Speed;
  readonly #titleSpeeds = new Map<number, { perSecond: number | null; speed: Speed }>();
  #shift: Shift;
  /** A claim failed, and may have been written all the same. */
  #unheard = false;
  #inHand = 0;
  readonly #pumping = runAgain(() => this.#pump());
  #closed = false;
  #pausedUntil = LONG_AGO;
  #timer: { at: Ticks; cancel: Cancel } | undefined;
  #emptied: () => void = () => undefined;

  constructor(parts: PumpParts) {
    this.#parts = parts;
    this.#shift = parts.shift;
    this.#inHandMost = Math.min(IN_HAND.most, Math.max(IN_HAND.least, 4 * parts.row.window));
    this.#carrierSpeed = speedOf(parts.clock, parts.row.messagesPerSecond);
  }

  /** There may be something to send. */
  wake(): void {
    void this.#pumping.ask();
  }

  /** Stops claiming; kept when nothing is on its way any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    for (await this.#pumping.settled(); this.#inHand > 0; await this.#pumping.settled()) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
    }
  }

  async #pump(): Promise<void> {
    if (!this.#mayClaim()) return;
    try {
      await this.#claimRound();
    } catch (error) {
      this.#unheard = true;
      this.#parts.log.warn({ carrier: this.#parts.row.name, error: String(error) }, "messages could not be claimed");
      this.#wakeIn(RETRY_MS);
    }
  }

  #mayClaim(): boolean {
    const { carrier, clock, books } = this.#parts;
    if (this.#closed || !carrier.isReady()) return false;
    if (books.isAside()) {
      this.#wakeIn(RETRY_MS);
      return false;
    }
    if (this.#inHand + books.waiting() > this.#inHandMost / 2) return false;
    const pauseMs = Math.max(until(clock, this.#pausedUntil), this.#carrierSpeed.waitMs());
    if (pauseMs > 0) this.#wakeIn(pauseMs);
    return pauseMs <= 0;
  }

  /** Every title with something to say gets its turn, each at its own speed. */
  async #claimRound(): Promise<void> {
    const { db, row } = this.#parts;
    if (this.#unheard) this.#shift = await dropUnheardClaims(db, this.#shift, this.#parts.books.openClaims());
    this.#unheard = false;
    const titles = await titlesWaiting(db, row.id);
    let soonestMs = Number.POSITIVE_INFINITY;
    const share = Math.max(1, Math.floor((this.#inHandMost - this.#inHand) / Math.max(1, titles.length)));
    for (const { titleId, messagesPerSecond } of titles) {
      const speed = this.#titleSpeed(titleId, messagesPerSecond);
      const most = Math.min(share, this.#inHandMost - this.#inHand, this.#carrierSpeed.room(), speed.room());
      const claim = most > 0 ? await claimMessages(db, this.#shift, { titleId, most }) : undefined;
      if (claim) this.#tellAll(claim, speed);
      soonestMs = Math.min(soonestMs, Math.max(speed.waitMs(), this.#carrierSpeed.waitMs()));
    }
    if (titles.length > 0 && soonestMs > 0) this.#wakeIn(soonestMs);
  }

  #tellAll(claim: Claim, titleSpeed: Speed): void {
    const { messages } = claim;
    this.#parts.books.claimed(claim);
    this.#carrierSpeed.take(messages.length);
    titleSpeed.take(messages.length);
    for (const message of messages) void this.#tell(message);
    this.wake();
  }

  async #tell(message: Claimed): Promise<void> {
    const { books, clock } = this.#parts;
    this.#inHand++;
    const answer = await this.#answerTo(message);
    this.#inHand--;
    books.answered(message.id, answer);
    if (answer.said === "later") {
      this.#pausedUntil = latest(this.#pausedUntil, within(clock, answer.waitMs));
      this.#wakeIn(answer.waitMs);
    } else this.wake();
    this.#emptied();
  }

  async #answerTo({ id, title, dest, text, coding, expiresAt }: Claimed): Promise<CarrierAnswer> {
    const { carrier, clock, log, row } = this.#parts;
    if (expiresAt.getTime() <= clock.wall())
      return { said: "refused", state: "EXPIRED", gsmError: gsmErrorFor("EXPIRED") };
    if (this.#closed) return { said: "later", waitMs: 0 };
    try {
      return await carrier.submit({ id, title, dest, text, coding, validUntilMs: expiresAt.getTime() });
    } catch (error) {
      log.error({ carrier: row.name, message: id, error: String(error) }, "a message could not be submitted");
      return { said: "refused", state: "SEND_ERROR", gsmError: gsmErrorFor("SEND_ERROR") };
    }
  }

  #titleSpeed(titleId: number, perSecond: number | null): Speed {
    const known = this.#titleSpeeds.get(titleId);
    if (known && known.perSecond === perSecond) return known.speed;
    const speed = speedOf(this.#parts.clock, perSecond);
    this.#titleSpeeds.set(titleId, { perSecond, speed });
    return speed;
  }

  /** Of several requests the soonest counts; the others come up again when it looks. */
  #wakeIn(ms: number): void {
    const at = within(this.#parts.clock, Math.max(1, ms));
    if (this.#closed || (this.#timer && this.#timer.at <= at)) return;
    this.#timer?.cancel();
    const cancel = this.#parts.clock.after(Math.max(1, ms), () => {
      this.#timer = undefined;
      this.wake();
    });
    this.#timer = { at, cancel };
  }
}
