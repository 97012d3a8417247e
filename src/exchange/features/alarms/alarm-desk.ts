// The alarm desk: looks at the queues that are to call for attention, once a second, and tells of alarms that begin or end.
//
// Which alarms are on stands in the database. What is kept here is only how long a figure has been the other way: whoever
// looks after the exchange next, after a crash or on another node, begins that count anew and tells nothing twice.

import { type Again, runAgain } from "../../../again.ts";
import { type Cancel, type Clock, since, type Ticks } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { LevelStretch } from "../../../nouns/choices.ts";
import { QUEUES_CHANNEL } from "../../../store/agents.ts";
import type { Database } from "../../../store/db.ts";
import { serviceLevel } from "../../../store/figures.ts";
import { type Alarm, type AlarmAbout, type AlarmRule, alarmRules, alarmsOn } from "../../../store/queue-alarms.ts";
import { queuesOfLate } from "../../../store/reports-now.ts";
import type { Hall } from "../queues/queue-desk.ts";
import { judge, levelOf, QUIET, type Reading, thresholdsOf, type Watch, worseOf } from "./judge.ts";
import { tellBeginning, tellEnd } from "./tell.ts";

export type AlarmDeskParts = {
  db: Database;
  clock: Clock;
  log: Log;
  hall(exchangeId: number): Promise<{ floor: Pick<Hall["floor"], "waiting"> }>;
};

export type AlarmDesk = {
  /** Those that are on. */
  of(exchangeId: number): readonly Alarm[];
  /** Call what is returned to stop listening. */
  onChange(hear: (alarm: Alarm) => void): () => void;
  /** The look that is under way is over. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

const LOOK_MS = 1_000;
const LEVELS_MS = 30_000;
const ABOUTS: readonly AlarmAbout[] = ["longest-wait", "waiting", "service-level"];

type Levels = { read: Ticks; levels: ReadonlyMap<string, Reading> };

export async function openAlarmDesk(parts: AlarmDeskParts): Promise<AlarmDesk> {
  const desk = new Desk(parts);
  // Settings that changed, an exchange that came to live here or has left: all of it is read again.
  const unlisten = await parts.db.listen(QUEUES_CHANNEL, () => desk.readAgain());
  void desk.readAgain();
  return {
    of: (exchangeId) => desk.on.filter((alarm) => alarm.exchangeId === exchangeId),
    onChange: (hear) => {
      desk.watchers.add(hear);
      return () => void desk.watchers.delete(hear);
    },
    settled: () => desk.settled(),
    async close() {
      desk.stop();
      await unlisten();
      await desk.settled();
    },
  };
}

class Desk {
  readonly watchers = new Set<(alarm: Alarm) => void>();
  on: Alarm[] = [];
  readonly #parts: AlarmDeskParts;
  #rules: AlarmRule[] = [];
  /** By exchange, queue and reason. */
  #watches = new Map<string, Watch>();
  /** By alarm. */
  readonly #worst = new Map<number, number>();
  readonly #levels = new Map<string, Levels>();
  readonly #looking: Again<"rules" | "figures">;
  #cancel: Cancel | undefined;
  #isClosed = false;

  constructor(parts: AlarmDeskParts) {
    this.#parts = parts;
    this.#looking = runAgain((asked) => this.#look(asked.has("rules")));
  }

  readAgain(): Promise<void> {
    return this.#looking.ask("rules");
  }

  settled(): Promise<void> {
    return this.#looking.settled();
  }

  stop(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #look(isNews: boolean): Promise<void> {
    if (this.#isClosed) return;
    this.#cancel?.();
    let failed = false;
    try {
      if (isNews) await this.#read();
      await this.#judgeAll();
    } catch (error) {
      failed = true;
      this.#parts.log.warn({ error: String(error) }, "alarms of queues could not be looked at; trying again soon");
    }
    // Nobody looks where there is nothing to look at.
    if (this.#isClosed || (!failed && this.#rules.length === 0 && this.on.length === 0)) return;
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => void this.#looking.ask(failed ? "rules" : "figures"));
  }

  async #read(): Promise<void> {
    const { db } = this.#parts;
    [this.#rules, this.on] = [await alarmRules(db), await alarmsOn(db)];
    const known = new Set(this.#rules.flatMap((rule) => ABOUTS.map((about) => keyOf(rule, about))));
    for (const key of this.#watches.keys()) if (!known.has(key)) this.#watches.delete(key);
    this.#levels.clear();
  }

  async #judgeAll(): Promise<void> {
    // One that cannot be looked at keeps nobody else from being.
    for (const [exchangeId, rules] of grouped(this.#rules, (rule) => rule.exchangeId))
      await this.#judgeThose(exchangeId, rules).catch((error: unknown) =>
        this.#parts.log.warn({ exchangeId, error: String(error) }, "alarms of an exchange could not be looked at"),
      );
    for (const alarm of this.on) if (!this.#isWatched(alarm)) await this.#end(alarm);
  }

  async #judgeThose(exchangeId: number, rules: readonly AlarmRule[]): Promise<void> {
    const { floor } = await this.#parts.hall(exchangeId);
    // Whoever will be called back has hung up, and waits for nothing.
    const onTheLine = floor.waiting().filter(({ single }) => !single);
    const lines = grouped(onTheLine, ({ queue }) => queue);
    for (const rule of rules) {
      const waiting = lines.get(rule.queue) ?? [];
      const longestMs = waiting.reduce((longest, waiter) => Math.max(longest, waiter.waitedMs()), 0);
      await this.#judge(rule, "longest-wait", Math.floor(longestMs / 1_000));
      await this.#judge(rule, "waiting", waiting.length);
      if (rule.levelPercent > 0) await this.#judge(rule, "service-level", await this.#levelOf(rule));
    }
  }

  /** Not any more where somebody has taken the threshold back, or the queue. */
  #isWatched({ exchangeId, queue, about }: Alarm): boolean {
    return this.#rules.some(
      (rule) => rule.exchangeId === exchangeId && rule.queue === queue && thresholdsOf(rule)[about] > 0,
    );
  }

  async #levelOf({ exchangeId, timeZone, queue, levelOver }: AlarmRule): Promise<Reading> {
    const { clock } = this.#parts;
    const key = `${exchangeId} ${levelOver}`;
    const known = this.#levels.get(key);
    const fresh =
      known && since(clock, known.read) < LEVELS_MS
        ? known
        : { read: clock.ticks(), levels: await this.#readLevels(exchangeId, timeZone, levelOver) };
    this.#levels.set(key, fresh);
    return fresh.levels.get(queue) ?? null;
  }

  async #readLevels(exchangeId: number, timeZone: string, over: LevelStretch): Promise<Map<string, Reading>> {
    const { db, clock } = this.#parts;
    const figures = await queuesOfLate(db, { exchangeId, timeZone, over, nowMs: clock.wall() });
    return new Map(
      figures.map((figure) => [figure.queue, levelOf({ calls: figure.calls, level: serviceLevel(figure) })]),
    );
  }

  async #judge(rule: AlarmRule, about: AlarmAbout, reading: Reading): Promise<void> {
    const threshold = thresholdsOf(rule)[about];
    if (threshold === 0) return;
    const key = keyOf(rule, about);
    const alarm = this.on.find((it) => keyOf(it, about) === key && it.about === about);
    const { since } = this.#watches.get(key) ?? QUIET;
    const { watch, decides } = judge(
      { isOn: alarm !== undefined, since },
      { about, threshold, reading, now: this.#parts.clock.ticks() },
    );
    this.#watches.set(key, watch);
    if (alarm && reading !== null)
      this.#worst.set(alarm.id, worseOf(about, reading, this.#worst.get(alarm.id) ?? alarm.value));
    if (decides === undefined) return;
    if (alarm) await this.#end(alarm);
    else if (reading !== null) await this.#begin(rule, { about, threshold, value: reading });
    this.#watches.delete(key);
  }

  async #begin(rule: AlarmRule, what: Pick<Alarm, "about" | "threshold" | "value">): Promise<void> {
    const { db, clock } = this.#parts;
    const { exchangeId, queue, name: queueName } = rule;
    const begun = { ...what, exchangeId, queue, queueName, beganAt: new Date(clock.wall()) };
    const alarm = await tellBeginning(db, begun);
    // On already: what we knew was old.
    if (!alarm) return this.#read();
    this.on = [...this.on, alarm];
    this.#changed(alarm);
  }

  async #end(alarm: Alarm): Promise<void> {
    const { db, clock } = this.#parts;
    const worst = this.#worst.get(alarm.id) ?? alarm.value;
    await tellEnd(db, { alarm, worst, endedAt: new Date(clock.wall()) });
    this.#worst.delete(alarm.id);
    this.on = this.on.filter(({ id }) => id !== alarm.id);
    this.#changed(alarm);
  }

  #changed(alarm: Alarm): void {
    for (const hear of this.watchers) hear(alarm);
  }
}

function keyOf({ exchangeId, queue }: { exchangeId: number; queue: string }, about: AlarmAbout): string {
  return `${exchangeId} ${queue} ${about}`;
}

function grouped<Thing, By>(things: readonly Thing[], by: (thing: Thing) => By): Map<By, Thing[]> {
  const groups = new Map<By, Thing[]>();
  for (const thing of things) {
    const group = groups.get(by(thing));
    if (group) group.push(thing);
    else groups.set(by(thing), [thing]);
  }
  return groups;
}
