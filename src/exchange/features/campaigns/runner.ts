// One campaign while the server runs: its machine, the calls it has up, and what the last ones were like.

import { type Clock, since, type Ticks } from "../../../clock.ts";
import { Machine, type ReportUnexpected } from "../../../machine.ts";
import type { ClaimedNumber } from "../../../store/campaign-numbers.ts";
import type { CountedCampaign } from "../../../store/campaigns.ts";
import type { CallFacts } from "../../calls/call-facts.ts";
import { begin, type Effect, type Input, type State, table } from "./campaign-machine.ts";
import { nothingSeen, type Seen, sawAttempt, sawTalk } from "./pacing.ts";

/** A call of a campaign, from its claim to its end. */
export type Attempt = {
  number: ClaimedNumber;
  began: Ticks;
  answered?: Ticks;
  target: string | null;
  machine: boolean;
  /** Absent until a call has left. */
  facts?: CallFacts;
};

export class Runner {
  campaign: CountedCampaign;
  readonly attempts = new Set<Attempt>();
  seen: Seen = nothingSeen;
  /** Since the campaign began: calls that came to an agent, and those that found none. */
  served: number;
  abandoned: number;
  readonly #clock: Clock;
  readonly #machine: Machine<State, Input, Effect>;

  constructor(
    campaign: CountedCampaign,
    { clock, look, unexpected }: { clock: Clock; look(): void; unexpected: ReportUnexpected },
  ) {
    this.campaign = campaign;
    this.#clock = clock;
    this.abandoned = campaign.counts.abandoned;
    this.served = campaign.counts.queued - campaign.counts.abandoned;
    this.#machine = new Machine(table, begin, clock, {
      perform: look,
      unexpected: (state, input) => unexpected({ machine: "campaign", state, input }),
    });
  }

  at(): State["at"] {
    return this.#machine.state().at;
  }

  receive(input: Input): void {
    this.#machine.receive(input);
  }

  /** Rung and not answered yet. */
  ringing(): number {
    return this.#count(({ answered }) => answered === undefined);
  }

  /** Answered, and still on the way to a queue. */
  greeted(): number {
    return this.#count(({ answered, facts }) => answered !== undefined && facts?.queue === undefined);
  }

  answered(attempt: Attempt): void {
    attempt.answered = this.#clock.ticks();
    const seconds = since(this.#clock, attempt.began) / 1_000;
    this.seen = sawAttempt(this.seen, { answered: true, seconds, up: this.attempts.size });
  }

  ended(attempt: Attempt, { queued, abandoned }: { queued: boolean; abandoned: boolean }): void {
    this.attempts.delete(attempt);
    const { began, answered } = attempt;
    const up = this.attempts.size;
    if (answered === undefined)
      this.seen = sawAttempt(this.seen, { answered: false, seconds: since(this.#clock, began) / 1_000, up });
    if (abandoned) this.abandoned += 1;
    else if (queued) {
      this.served += 1;
      this.seen = sawTalk(this.seen, {
        seconds: answered === undefined ? 0 : since(this.#clock, answered) / 1_000,
        up,
      });
    }
  }

  #count(is: (attempt: Attempt) => boolean): number {
    let count = 0;
    for (const attempt of this.attempts) if (is(attempt)) count++;
    return count;
  }
}
