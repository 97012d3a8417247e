// The live panel: what extensions, calls, queues and agents are doing now, and then every change of it.
//
// A viewer never holds news, only the names of what has changed since he last looked: however slow he is, he costs as
// much memory as there are things to look at, and what he then sees is how they are and not how they were.

import { type Clock, momentOf, restamped } from "../clock.ts";
import type { Brought } from "../store/call-passes.ts";
import type { CallSettings, ExtensionSettings } from "../store/call-settings.ts";
import { type Scope, seesCall, seesExtension, seesQueue } from "../store/scope.ts";
import type { Listener, SupervisionMode } from "./calls/audience.ts";
import type { Call } from "./calls/call.ts";
import { waitedSeconds } from "./calls/call-facts.ts";
import type { Goal } from "./calls/goal.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import type { AlarmDesk } from "./features/alarms/alarm-desk.ts";
import { type AlarmNow, alarmNow } from "./features/alarms/alarm-now.ts";
import type { Floor } from "./features/queues/floor.ts";
import { type AgentNow, agentNow, type QueueNow, queueNow } from "./features/queues/floor-now.ts";
import type { QueueDesk } from "./features/queues/queue-desk.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { RegistrationChange } from "./signalling/registrar/registrations.ts";

export type ExtensionNow = {
  number: string;
  name: string;
  /** Silent: its phones are registered, and none of them answers. */
  state: "unregistered" | "silent" | "available" | "do-not-disturb" | "ringing" | "on a call" | "listening";
};

export type CallNow = {
  uuid: string;
  direction: string;
  caller: string;
  callerName: string;
  destination: string;
  state: string;
  queue: string | null;
  startMs: number;
  answerMs: number | null;
  onTheLine: string[];
  ringing: string[];
  /** Those on the line who are ours. */
  extensions: string[];
  /** Supervisors on it, for those who may be one; `uuid` is by what each leaves again. */
  listeners: ListenerNow[];
};

/** What the board does not show of a call that is up. */
export type CallSoFar = {
  /** Extensions that have talked in it, those that passed it on among them. */
  took: string[];
  /** In its last queue, until now or until somebody took it. */
  waitedSeconds: number;
  brought: Brought[] | undefined;
};

export type ListenerNow = { uuid: string; extension: string; name: string; mode: SupervisionMode; watches: string };

type Things = { extension: ExtensionNow; call: CallNow; queue: QueueNow; agent: AgentNow; alarm: AlarmNow };

/** Without `now` the thing is gone. */
export type PanelChange = { [What in keyof Things]: { what: What; id: string; now?: Things[What] } }[keyof Things];

export type Viewer = {
  /** Everything that is seen at first, then what is different from what was taken before. */
  take(scope: Scope, sight: Sight): Promise<PanelChange[]>;
  stop(): void;
};

export type PanelParts = {
  clock: Clock;
  live: LiveCalls;
  queues: QueueDesk;
  settings: SettingsBook;
  alarms?: Pick<AlarmDesk, "of" | "onChange">;
  registrar: {
    isRegistered(exchangeId: number, extension: string): boolean;
    isSilent?(exchangeId: number, extension: string): boolean;
    onChange(listen: (change: RegistrationChange) => void): () => void;
  };
};

/** What nobody tells us, such as a new name, is seen after so long at the latest. */
const LOOK_ROUND_MS = 5_000;

/** Who may not supervise is not told who does. */
export type Sight = { listeners: boolean };

type Watching = { dirty: Set<string>; all: boolean; seen: Map<string, string>; tell(): void };

export class Panel {
  readonly #parts: PanelParts;
  readonly #viewers = new Map<number, Set<Watching>>();
  readonly #stops: (() => void)[];

  constructor(parts: PanelParts) {
    this.#parts = parts;
    this.#stops = [
      parts.live.watch(({ call, extensions }) => {
        const { exchangeId, uuid } = call.facts;
        this.#mark(exchangeId, `call ${uuid}`);
        for (const extension of extensions) this.#mark(exchangeId, `extension ${extension}`, `agent ${extension}`);
      }),
      parts.queues.onChange((change) => {
        if ("queue" in change) this.#mark(change.exchangeId, `queue ${change.queue}`);
        else this.#mark(change.exchangeId, `agent ${change.agent}`, `extension ${change.agent}`);
      }),
      parts.alarms?.onChange(({ exchangeId, id }) => this.#mark(exchangeId, `alarm ${id}`)) ?? (() => undefined),
      parts.registrar.onChange(({ exchangeId, extension }) =>
        this.#mark(exchangeId, `extension ${extension}`, `agent ${extension}`),
      ),
      parts.settings.onChange?.((exchangeId) => this.#lookRound(exchangeId)) ?? (() => undefined),
    ];
  }

  /** `tell` is called once there is news, and again only after it was taken. */
  watch(exchangeId: number, tell: () => void): Viewer {
    const watching: Watching = { dirty: new Set(), all: true, seen: new Map(), tell };
    const others = this.#viewers.get(exchangeId) ?? new Set();
    this.#viewers.set(exchangeId, others.add(watching));
    let cancel = this.#parts.clock.after(LOOK_ROUND_MS, () => lookRound());
    const lookRound = () => {
      cancel = this.#parts.clock.after(LOOK_ROUND_MS, () => lookRound());
      watching.all = true;
      watching.tell();
    };
    return {
      take: (...seen) => this.#take(exchangeId, watching, ...seen),
      stop: () => {
        cancel();
        others.delete(watching);
        if (others.size === 0) this.#viewers.delete(exchangeId);
      },
    };
  }

  /** One call that is up. */
  call(exchangeId: number, uuid: string): (CallNow & CallSoFar) | undefined {
    const call = this.#parts.live.find(exchangeId, uuid);
    if (!call) return undefined;
    const { brought } = call.facts;
    const so = { took: call.took(), waitedSeconds: waitedSeconds(call.facts, call.clock.wall()), brought };
    return { ...callNow(call, this.#parts.clock, { listeners: false }), ...so };
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #lookRound(exchangeId: number | undefined): void {
    for (const [id, viewers] of this.#viewers)
      for (const watching of exchangeId === undefined || id === exchangeId ? viewers : []) {
        watching.all = true;
        watching.tell();
      }
  }

  #mark(exchangeId: number, ...keys: string[]): void {
    for (const watching of this.#viewers.get(exchangeId) ?? []) {
      const isNews = watching.dirty.size === 0;
      for (const key of keys) watching.dirty.add(key);
      if (isNews) watching.tell();
    }
  }

  async #take(exchangeId: number, watching: Watching, scope: Scope, sight: Sight): Promise<PanelChange[]> {
    const book = await this.#parts.settings.of(exchangeId);
    const { floor } = await this.#parts.queues.hall(exchangeId);
    const keys = new Set(
      watching.all ? [...watching.seen.keys(), ...this.#keysOf(exchangeId, book, floor)] : watching.dirty,
    );
    watching.all = false;
    watching.dirty.clear();
    const changes: PanelChange[] = [];
    for (const key of keys) {
      const change = shownTo(scope, this.#look(exchangeId, key, { book, floor, sight }));
      const text = change.now === undefined ? undefined : JSON.stringify(change.now);
      if (watching.seen.get(key) === text) continue;
      if (text === undefined) watching.seen.delete(key);
      else watching.seen.set(key, text);
      changes.push(change);
    }
    return changes;
  }

  #keysOf(exchangeId: number, book: CallSettings | undefined, floor: Floor): string[] {
    return [
      ...[...(book?.extensions.keys() ?? [])].map((number) => `extension ${number}`),
      ...this.#parts.live.all(exchangeId).map(({ facts }) => `call ${facts.uuid}`),
      ...floor.queues().map(({ number }) => `queue ${number}`),
      ...floor.roster.all().map(({ number }) => `agent ${number}`),
      ...(this.#parts.alarms?.of(exchangeId) ?? []).map(({ id }) => `alarm ${id}`),
    ];
  }

  #look(
    exchangeId: number,
    key: string,
    { book, floor, sight }: { book: CallSettings | undefined; floor: Floor; sight: Sight },
  ): PanelChange {
    const [what, id] = key.split(" ") as [keyof Things, string]; // as they are marked above
    const call = what === "call" ? this.#parts.live.find(exchangeId, id) : undefined;
    const looks: { [What in keyof Things]: () => Things[What] | undefined } = {
      // One who listens is on the call that he listens to, and has none of his own.
      call: () => (call?.facts.supervises === undefined ? call && callNow(call, this.#parts.clock, sight) : undefined),
      extension: () => this.#extensionNow(exchangeId, book?.extensions.get(id), sight),
      queue: () => queueNow(this.#parts.clock, floor, id),
      agent: () => agentNow(floor, id),
      alarm: () =>
        this.#parts.alarms
          ?.of(exchangeId)
          .map(alarmNow)
          .find((it) => String(it.id) === id),
    };
    const now = looks[what]();
    // `what` chose the look, so the two belong together.
    return (now === undefined ? { what, id } : { what, id, now }) as PanelChange;
  }

  #extensionNow(exchangeId: number, extension: ExtensionSettings | undefined, sight: Sight): ExtensionNow | undefined {
    const { live, registrar } = this.#parts;
    if (!extension) return undefined;
    const { number, name, dnd } = extension;
    const calls = live.of(exchangeId, number);
    const listens = sight.listeners && calls.every(({ facts }) => facts.supervises !== undefined);
    if (calls.length > 0) return { number, name, state: listens ? "listening" : "on a call" };
    if (live.isBusy(exchangeId, number)) return { number, name, state: "ringing" };
    if (dnd) return { number, name, state: "do-not-disturb" };
    if (!registrar.isRegistered(exchangeId, number)) return { number, name, state: "unregistered" };
    return { number, name, state: registrar.isSilent?.(exchangeId, number) ? "silent" : "available" };
  }
}

/** What somebody does not see is gone for him, or was never there. */
function shownTo(scope: Scope, change: PanelChange): PanelChange {
  const isSeen: { [What in keyof Things]: (now: Things[What]) => boolean } = {
    extension: ({ number }) => seesExtension(scope, number),
    agent: ({ number }) => seesExtension(scope, number),
    queue: ({ number }) => seesQueue(scope, number),
    alarm: ({ queue }) => seesQueue(scope, queue),
    call: (now) => seesCall(scope, now),
  };
  const { what, id, now } = change;
  // `what` chose the look, so the two belong together.
  return now === undefined || (isSeen[what] as (now: unknown) => boolean)(now) ? change : { what, id };
}

function callNow(call: Call<Goal>, clock: Clock, sight: Sight): CallNow {
  const { uuid, direction, callerNumber, callerName, destinationNumber, queue, startMs, answerMs } = call.facts;
  const shownMs = (stampMs: number) => restamped(clock, momentOf(call.clock, stampMs), stampMs);
  return {
    uuid,
    direction,
    caller: callerNumber,
    callerName,
    destination: destinationNumber,
    startMs: shownMs(startMs),
    state: call.state(),
    queue: queue ?? null,
    answerMs: answerMs === undefined ? null : shownMs(answerMs),
    onTheLine: call.legs().map(({ party }) => party.number),
    ringing: [...call.ringing.keys()],
    extensions: call.legs().flatMap(({ party }) => (party.is === "extension" ? [party.number] : [])),
    listeners: sight.listeners ? call.conversation.listeners().map(listenerNow) : [],
  };
}

function listenerNow({ call: uuid, leg: { party }, watched, mode }: Listener): ListenerNow {
  return { uuid, extension: party.number, name: party.name, mode, watches: watched.party.number };
}
