// Keeps a node alive in the eyes of the others: renews its life every second, and says from one moment to the next whether
// it may still act.

import { between, type Cancel, type Clock, LONG_AGO, since, type Ticks } from "../clock.ts";
import type { Log } from "../log.ts";
import { Machine, type ReportUnexpected } from "../machine.ts";
import { connectLine, type OpenLine } from "../store/line.ts";
import { endLife, lockName, renewLife } from "../store/nodes.ts";
import { lockServerShared } from "../store/server-lease.ts";
import { CERTAIN_MS, type LifeEffect, type LifeInput, type LifeState, lifeBegins, lifeTable } from "./life-machine.ts";

export type LifeNeeds = {
  url: string;
  name: string;
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  /** That of the locks, with which it joined. */
  line: OpenLine;
  life: number;
};

const RENEW_MS = 1_000;
const TRY_AGAIN_MS = 250;
/** A renewal that comes so long after the one before is worth counting. */
const LATE_MS = 2_500;
/** Who was himself away for a while lets the others come back before he judges them. */
const PUNCTUAL_FOR_MS = 8_000;

export class Life {
  readonly over: Promise<string>;
  hasty = false;
  late = 0;
  readonly #needs: LifeNeeds;
  readonly #machine: Machine<LifeState, LifeInput, LifeEffect>;
  #line: OpenLine | undefined;
  #hasLocks = true;
  #cancel: Cancel = () => undefined;
  #renewing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #tellOver: (why: string) => void = () => undefined;
  /** When the last renewal that was answered had been sent. */
  #sent: Ticks;
  #punctualSince: Ticks;

  constructor(needs: LifeNeeds) {
    const { clock, line, unexpected } = needs;
    this.#needs = needs;
    this.#line = line;
    this.#sent = clock.ticks();
    this.#punctualSince = clock.ticks();
    this.over = new Promise((resolve) => {
      this.#tellOver = resolve;
    });
    this.#machine = new Machine(lifeTable, lifeBegins, clock, {
      perform: (effect) => this.#perform(effect),
      unexpected: (state, input) => unexpected({ machine: "node life", state, input }),
    });
    this.#machine.receive({ is: "renewed", wanted: "up", sentAgoMs: 0 });
    this.#again(RENEW_MS);
  }

  /** By the clock itself: whoever slept acts on nothing before his timers have told him. */
  acts(): boolean {
    const { at } = this.#machine.state();
    return (at === "up" || at === "draining") && since(this.#needs.clock, this.#sent) < CERTAIN_MS;
  }

  state(): LifeState["at"] {
    return this.#machine.state().at;
  }

  /** Whether we were there all the time, so that silence of others is theirs. */
  mayJudge(): boolean {
    return this.acts() && since(this.#needs.clock, this.#punctualSince) > PUNCTUAL_FOR_MS;
  }

  async close({ comesBack }: { comesBack: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#renewing;
    if (this.#line && !comesBack) await endLife(this.#line, this.#needs.life).catch(() => undefined); // or it runs out
    await this.#line?.end();
  }

  #again(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#needs.clock.after(ms, () => {
      this.#renewing = this.#renew().then((next) => (next === "over" ? undefined : this.#again(next)));
    });
  }

  async #renew(): Promise<number | "over"> {
    const { url, clock, log, life } = this.#needs;
    try {
      this.#line ??= await connectLine(url, clock);
      // Until the database has noticed that our old connection is gone, that one holds them.
      this.#hasLocks ||= (await lockServerShared(this.#line)) && (await lockName(this.#line, this.#needs.name));
      const sent = clock.ticks();
      const wanted = await renewLife(this.#line, life);
      if (!wanted) {
        this.#machine.receive({ is: "superseded" });
        return "over";
      }
      this.#note(sent);
      this.hasty = wanted.hasty;
      this.#machine.receive({ is: "renewed", wanted: wanted.state, sentAgoMs: since(clock, sent) });
      return RENEW_MS;
    } catch (error) {
      log.warn({ error: String(error) }, "the life of this node could not be renewed");
      const line = this.#line;
      this.#line = undefined;
      this.#hasLocks = false;
      await line?.end();
      return TRY_AGAIN_MS;
    }
  }

  #note(sent: Ticks): void {
    const gapMs = between(this.#sent, sent);
    if (gapMs > LATE_MS) {
      this.late += 1;
      this.#punctualSince = sent;
    }
    this.#sent = sent;
  }

  #perform(effect: Exclude<LifeEffect, { do: "start" }>): void {
    const { log } = this.#needs;
    if (effect.do === "quiet")
      log.error({}, "the database does not renew our life: nothing new begins here until it does");
    if (effect.do === "act") log.info({ life: this.#needs.life }, "this node acts for its exchanges");
    if (effect.do === "drain") log.info({}, "this node gives its exchanges away");
    if (effect.do === "end") {
      this.#sent = LONG_AGO;
      this.#tellOver("the nodes that took its exchanges");
    }
  }
}
