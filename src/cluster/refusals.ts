// Which processes are gone: their session with the database has ended, and where they were nobody takes a connection. Long
// enough for a supervisor to start one again, which then goes on with its calls as if nothing had been.

import { connect } from "node:net";
import { between, type Clock, LONG_AGO, type Ticks } from "../clock.ts";

/** Of a life whose name nobody holds: whether its door is refused, which only the machine does that it ran on. */
export type Missed = { name: string; life: number; isRefused: boolean };

/** A supervised process that is started again holds its name within so long. */
const GONE_AFTER_MS = 2_000;

/** Looks further apart than that prove nothing together: whoever slept between them begins anew. */
const APART_MS = 2_000;

/** Who does not say no so soon has not said it. */
const ANSWERS_WITHIN_MS = 400;

export class Refusals {
  readonly #clock: Clock;
  /** Since when each life has been refused, at every look. */
  #since = new Map<number, Ticks>();
  #looked: Ticks = LONG_AGO;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** At each look, all that are missed then; those that are gone. Who is seen well once is watched from the beginning. */
  look(missed: readonly Missed[]): Missed[] {
    const now = this.#clock.ticks();
    const before = between(this.#looked, now) < APART_MS ? this.#since : new Map<number, Ticks>();
    this.#looked = now;
    const refused = missed.filter(({ isRefused }) => isRefused);
    this.#since = new Map(refused.map(({ life }) => [life, before.get(life) ?? now]));
    return refused.filter(({ life }) => {
      const first = before.get(life);
      return first !== undefined && between(first, now) >= GONE_AFTER_MS;
    });
  }

  /** Whether it was refused when last looked at. */
  isDoubted(life: number): boolean {
    return this.#since.has(life);
  }

  /** Whether to look again soon. */
  isAnyDoubted(): boolean {
    return this.#since.size > 0;
  }
}

/** Only that: a network that is silent, slow or broken, or a name that nobody knows, says nothing about a process. */
export function isRefusedAt(url: string, clock: Clock): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80) });
    const tell = (isRefused: boolean) => {
      cancel();
      socket.destroy();
      resolve(isRefused);
    };
    const cancel = clock.after(ANSWERS_WITHIN_MS, () => tell(false));
    socket.once("connect", () => tell(false));
    socket.once("error", (error) => tell(saysNo(error)));
  });
}

/** A name with several addresses is refused at all of them. */
function saysNo(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every((it: unknown) => it instanceof Error && saysNo(it));
  return "code" in error && error.code === "ECONNREFUSED";
}
