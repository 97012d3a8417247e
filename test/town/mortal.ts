// What a process stands on, until it dies: from then on its timers do nothing and its questions have no answer.

import type { Database } from "../../src/store/db.ts";
import type { TestClock } from "../ground/test-clock.ts";

const never = <Answer>() => new Promise<Answer>(() => undefined);

export type Mortal = { clock: TestClock; db: Database; die(): void; stall(): void };

export function mortal({ clock, db }: { clock: TestClock; db: Database }): Mortal {
  let isDead = false;
  let isStalled = false;
  const whileAlive = <Answer>(ask: () => Promise<Answer>) => (isDead ? never<Answer>() : ask());
  const whole = (of: Database): Database => ({
    ...of,
    query: (text, values) => whileAlive(() => of.query(text, values)),
    transaction: (work) => whileAlive(() => (isStalled ? never() : of.transaction(work))),
    forExchange: (exchangeId, limit) => whole(of.forExchange(exchangeId, limit)),
    within: (limit) => whole(of.within(limit)),
  });
  return {
    db: whole(db),
    clock: {
      ...clock,
      after: (ms, act) =>
        clock.after(ms, () => {
          if (!isDead) act();
        }),
    },
    die() {
      isDead = true;
    },
    /** Nothing that it writes from now on is committed any more. */
    stall() {
      isStalled = true;
    },
  };
}
