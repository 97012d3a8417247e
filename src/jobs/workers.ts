// Runs owed jobs: woken by the database, several at once, each under a lease that outlives neither crash nor stop.

import { runAgain } from "../again.ts";
import type { Cancel, Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";
import { despiteDeadlocks } from "../store/deadlocks.ts";
import type { During } from "../store/still.ts";
import { waitAfter } from "./back-off.ts";
import { type Claimed, claim, comeForward, fail, finish, giveBack, renew, untilDueMs } from "./claim.ts";
import type { Handlers, Outcome } from "./handler.ts";
import { JOBS_CHANNEL } from "./jobs.ts";
import { NextLook } from "./next-look.ts";
import { exchangeRoom, openShareRoom, type ShareRoom } from "./share-room.ts";
import { byDefault } from "./worker-defaults.ts";

export type WorkerOptions = {
  db: Database;
  /** By whose wall jobs are due: one that goes on by ticks until they are moved, in a server, and that holds the move off. */
  clock: Clock & { during?: During };
  log: Log;
  handlers: Handlers;
  concurrency?: number;
  perShare?: number; // at once, for shares that `limits` does not name
  perExchange?: number; // for all shares of one
  limits?: Readonly<Record<string, number>>;
  leaseMs?: number;
  epoch?: number; // of the server they work in: see `freeLeases`
  pollMs?: number;
  isWoken?: boolean; // by the database, when something is owed
  random?: () => number;
};

export type Workers = {
  /** Takes nothing new, waits for what runs, and hands back what is not done by then. */
  stop(options?: { drainMs?: number }): Promise<void>;
  /** Nothing runs and nothing that is due is waiting. */
  idle(): Promise<void>;
  running(): number;
};

/** The server ended so often in a row in the middle of it: it may be the job. */
const MOST_CUT_OFF = 6;

type Held = { job: Claimed; abort: AbortController };

export async function startWorkers(options: WorkerOptions): Promise<Workers> {
  const pool = new WorkerPool(options);
  await pool.start();
  return {
    stop: ({ drainMs = 10_000 } = {}) => pool.stop(drainMs),
    idle: () => pool.idle(),
    running: () => pool.running,
  };
}

class WorkerPool {
  readonly #options: Required<WorkerOptions>;
  readonly #kinds: string[];
  readonly #freeing: string[];
  readonly #held = new Map<number, Held>();
  readonly #room: ShareRoom;
  /** Until what came of them is written. */
  readonly #settling = new Set<number>();
  #finished: Claimed[] = [];
  #writing = 0;
  readonly #looking = runAgain(() => this.#takeOrWarn());
  #isMoreDue = false;
  #stopping = false;
  #patienceOver = false;
  #waiting: (() => void)[] = [];
  readonly #next: NextLook;
  #cancelRenewal: Cancel = () => undefined;
  #unlisten: () => Promise<void> = async () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = { ...byDefault, ...options };
    this.#room = openShareRoom(this.#options.limits, this.#options.perShare);
    this.#kinds = Object.keys(options.handlers);
    this.#freeing = this.#kinds.filter((kind) => !options.handlers[kind]!.deadHoldsLane);
    const { db, clock, pollMs, isWoken } = this.#options;
    // Who is not woken has no other way to hear of anything new.
    const untilDue = async () => (isWoken ? this.#during(() => untilDueMs(db, clock.wall())) : pollMs);
    this.#next = new NextLook({ clock, everyMs: pollMs, look: () => this.#look(), untilDueMs: untilDue });
  }

  /** What goes by the time that it reads. */
  readonly #during: During = (act) => this.#options.clock.during?.(act) ?? act();

  get running(): number {
    return this.#held.size;
  }

  async start(): Promise<void> {
    const { db, isWoken } = this.#options;
    if (isWoken) this.#unlisten = await db.listen(JOBS_CHANNEL, () => void this.#look());
    this.#next.begin();
    this.#keepLeases();
    void this.#look();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      void this.#look();
    });
  }

  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    this.#next.stop();
    this.#cancelRenewal();
    const drained = new Promise<void>((resolve) => this.#waiting.push(resolve));
    const cancel = this.#options.clock.after(drainMs, () => void this.#handBack());
    await this.#unlisten();
    this.#tellWhetherIdle();
    await drained;
    cancel();
  }

  async #look(): Promise<void> {
    this.#next.soon();
    await this.#looking.ask();
    this.#tellWhetherIdle();
  }

  /** Something is done. Who is not woken lets work gather until the next look, unless the last one found some. */
  #lookOn(): void {
    if (this.#options.isWoken || this.#isMoreDue) void this.#look();
    else this.#tellWhetherIdle();
  }

  async #takeOrWarn(): Promise<void> {
    try {
      await this.#takeSome();
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, "jobs could not be claimed; trying again soon");
    }
  }

  async #takeSome(): Promise<void> {
    const { db, clock, concurrency, leaseMs, perShare, perExchange, epoch, isWoken } = this.#options;
    const most = concurrency - this.#held.size;
    if (this.#stopping || most <= 0) return;
    const running = jobsOf([...this.#held.values()]).map(({ share }) => share);
    const { jobs, aside } = await this.#during(() =>
      claim(db, {
        nowMs: clock.wall(),
        leaseMs,
        most,
        kinds: this.#kinds,
        freeing: this.#freeing,
        inHand: [...this.#held.keys(), ...this.#settling],
        room: this.#room.left(running),
        perShare,
        exchangeRoom: exchangeRoom(running, perExchange),
        perExchange,
        epoch,
      }),
    );
    if (this.#patienceOver) return this.#giveBack(jobs); // asked for before the stop, answered after it
    for (const job of jobs) this.#begin(job);
    this.#isMoreDue = jobs.length > 0;
    if (aside.length + jobs.length > 0 && (isWoken || jobs.length >= most)) void this.#look();
    if (aside.length > 0) await comeForward(db, aside, { freeing: this.#freeing });
  }

  #begin(job: Claimed): void {
    const abort = new AbortController();
    this.#held.set(job.id, { job, abort });
    void this.#attempt(job, abort.signal).then((outcome) => this.#settle(job, outcome));
  }

  async #attempt({ id, kind, payload, attempt, lane, cutOff }: Claimed, signal: AbortSignal): Promise<Outcome> {
    if (cutOff >= MOST_CUT_OFF) return { giveUp: `cut off ${cutOff} times: it may be what ends the server` };
    try {
      // A kind's payload is written and read by the same module; the table only carries it.
      return await this.#options.handlers[kind]!.run(payload as never, { id, attempt, lane, signal });
    } catch (error) {
      this.#options.log.error({ job: id, kind, attempt, error: String(error) }, "a job handler threw");
      return { retry: String(error) };
    }
  }

  async #settle(job: Claimed, outcome: Outcome): Promise<void> {
    if (this.#held.get(job.id)?.job !== job) return; // handed back, or the lease was lost
    this.#held.delete(job.id);
    this.#settling.add(job.id);
    if (outcome === undefined) {
      this.#room.succeeded(job.share);
      this.#finished.push(job);
      void this.#writeFinished();
    } else {
      this.#room.failed(job.share);
      await this.#writeFailure(job, outcome);
      this.#settling.delete(job.id);
      this.#lookOn();
    }
  }

  /** While one batch is being written the next one gathers. */
  async #writeFinished(): Promise<void> {
    if (this.#writing > 0) return;
    while (this.#finished.length > 0) {
      const batch = this.#finished;
      this.#finished = [];
      await this.#write(() => finish(this.#options.db, batch, { freeing: this.#freeing }), "finished jobs");
      for (const { id } of batch) this.#settling.delete(id);
      this.#lookOn();
    }
    this.#tellWhetherIdle();
  }

  async #writeFailure(job: Claimed, outcome: NonNullable<Outcome>): Promise<void> {
    const { db, clock, log, handlers, random } = this.#options;
    const { id, kind, lease, attempt } = job;
    const error = "giveUp" in outcome ? outcome.giveUp : outcome.retry;
    const over = "giveUp" in outcome || attempt >= job.maxAttempts;
    const waitMs = waitAfter(attempt, handlers[kind]!, random);
    const retryAtMs = () => (over ? "never" : Math.round(clock.wall() + waitMs));
    if (over) log.error({ job: id, kind, attempt, error }, "a job was given up; it is in the dead-letter list");
    else log.info({ job: id, kind, attempt, error, waitMs: Math.round(waitMs) }, "a job will be tried again");
    const then = () => ({ freeing: this.#freeing, nowMs: clock.wall() });
    const write = () => fail(db, { id, lease, error, retryAtMs: retryAtMs() }, then());
    await this.#write(() => this.#during(write), "a failed job");
    void this.#writeFinished();
  }

  /** What cannot be written now is run again when its lease is over. */
  async #write(act: () => Promise<unknown>, what: string): Promise<void> {
    this.#writing++;
    try {
      await despiteDeadlocks(act);
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, `${what} could not be written and will run again`);
    }
    this.#writing--;
  }

  #keepLeases(): void {
    const { clock, leaseMs } = this.#options;
    const again = () => !this.#stopping && this.#keepLeases();
    this.#cancelRenewal = clock.after(leaseMs / 3, () => void this.#renewLeases().then(again));
  }

  async #renewLeases(): Promise<void> {
    const { db, clock, leaseMs, log } = this.#options;
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    try {
      const kept = await this.#during(() => renew(db, jobsOf(held), clock.wall() + leaseMs));
      for (const { job, abort } of held) {
        if (kept.has(job.id) || this.#held.get(job.id)?.job !== job) continue;
        log.warn({ job: job.id, kind: job.kind }, "another worker took a job whose lease ran out");
        this.#held.delete(job.id);
        abort.abort();
      }
    } catch (error) {
      log.warn({ error: String(error) }, "leases could not be renewed");
    }
    this.#tellWhetherIdle();
  }

  async #handBack(): Promise<void> {
    this.#patienceOver = true;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { abort } of held) abort.abort();
    await this.#giveBack(jobsOf(held));
  }

  async #giveBack(jobs: Claimed[]): Promise<void> {
    if (jobs.length > 0) {
      await this.#write(() => giveBack(this.#options.db, jobs), "unfinished jobs");
    }
    await this.#writeFinished(); // what was finished meanwhile has waited for this write
  }

  #tellWhetherIdle(): void {
    const busy = this.#looking.isBusy() || this.#writing > 0 || this.#finished.length > 0;
    if (busy || this.#held.size > 0) return;
    const told = this.#waiting;
    this.#waiting = [];
    for (const resolve of told) resolve();
  }
}

const jobsOf = (held: Held[]) => held.map(({ job }) => job);
