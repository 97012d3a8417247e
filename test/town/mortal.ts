// What a process stands on, until it dies: from then on its timers do nothing and its questions have no answer.

import type { Database } from "../../src/store/db.ts";
import type { TestClock } from "../ground/test-clock.ts";

export type Mortal = { clock: TestClock; db: Database; die(): void };

export function mortal({ clock, db }: { clock: TestClock; db: Database }): Mortal {
  let isDead = false;
  const whileAlive = <Answer>(ask: () => Promise<Answer>) => (isDead ? new Promise<Answer>(() => undefined) : ask());
  const whole = (of: Database): Database => ({
    ...of,
    query: (text, values) => whileAlive(() => of.query(text, values)),
    transaction: (work) => whileAlive(() => of.transaction(work)),
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
  };
}
