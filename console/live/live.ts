// The live board's line to the server: one socket for the whole console, coming back by itself when it breaks.

import { useSyncExternalStore } from "react";
import type { AlarmNow } from "../../src/exchange/features/alarms/alarm-now.ts";
import type { AgentNow, QueueNow } from "../../src/exchange/features/queues/floor-now.ts";
import type { CallNow, ExtensionNow, PanelChange } from "../../src/exchange/panel.ts";
import type { LiveMessage } from "../../src/http/console/live.ts";
import { onBack, suspectLoss } from "../ask/connection.ts";

export type Live = {
  /** Undefined until the first snapshot, and while the line is down. */
  state: "connecting" | "open" | "closed";
  /** The server's clock minus ours: durations are counted by the server's. */
  aheadMs: number;
  extensions: ReadonlyMap<string, ExtensionNow>;
  calls: ReadonlyMap<string, CallNow>;
  queues: ReadonlyMap<string, QueueNow>;
  agents: ReadonlyMap<string, AgentNow>;
  alarms: ReadonlyMap<string, AlarmNow>;
};

const nothing: Live = {
  state: "connecting",
  aheadMs: 0,
  extensions: new Map(),
  calls: new Map(),
  queues: new Map(),
  agents: new Map(),
  alarms: new Map(),
};

const places = { extension: "extensions", call: "calls", queue: "queues", agent: "agents", alarm: "alarms" } as const;

/** The session is over: coming back is the door's business. */
const SIGNED_OUT = 4401;
const LONGEST_WAIT_MS = 15_000;

let now: Live = nothing;
let socket: WebSocket | undefined;
let failures = 0;
let timer: number | undefined;
const watching = new Set<() => void>();
/** They look on while somebody else watches, and ask for nothing. */
const lookingOn = new Set<() => void>();

function tell(next: Live): void {
  now = next;
  for (const hear of [...watching, ...lookingOn]) hear();
}

function connect(): void {
  timer = undefined;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const mine = new WebSocket(`${scheme}://${location.host}/console/live`);
  socket = mine;
  mine.onmessage = ({ data }) => {
    failures = 0;
    take(JSON.parse(String(data)) as LiveMessage);
  };
  mine.onclose = ({ code }) => {
    if (socket !== mine) return;
    tell({ ...now, state: "closed" });
    if (watching.size === 0 || code === SIGNED_OUT) return;
    suspectLoss();
    comeBack();
  };
}

/** Whoever waits for its turn need not any more. */
function hurry(): void {
  if (timer === undefined) return;
  window.clearTimeout(timer);
  failures = 0;
  connect();
}

function comeBack(): void {
  timer ??= window.setTimeout(connect, Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures++));
}

/** What comes closer together than this is drawn together: nobody sees five changes a second apart from each other. */
const TOGETHER_MS = 200;
const TOLERATED_MS = 500;

let pending: PanelChange[] = [];
let drawing: number | undefined;

function take({ is, nowMs, changes }: LiveMessage): void {
  const aheadMs = nowMs - Date.now();
  // A clock that wavers by a little is no news.
  const clock = Math.abs(aheadMs - now.aheadMs) > TOLERATED_MS ? { aheadMs } : {};
  if (is === "snapshot") {
    pending = [];
    return tell({ ...applied(nothing, changes), aheadMs, state: "open" });
  }
  pending.push(...changes);
  if (now.state !== "open" || "aheadMs" in clock) tell({ ...now, ...clock, state: "open" });
  if (pending.length > 0 && drawing === undefined) drawing = window.setTimeout(draw, TOGETHER_MS);
}

function draw(): void {
  drawing = undefined;
  const changes = pending;
  pending = [];
  if (changes.length > 0) tell(applied(now, changes));
}

/** Only the maps that changed are new ones, so that a page redraws only what it has to. */
function applied(before: Live, changes: readonly PanelChange[]): Live {
  const after: Record<string, Map<string, unknown>> = {};
  for (const { what, id, now } of changes) {
    const place = places[what];
    after[place] ??= new Map<string, unknown>(before[place]);
    if (now === undefined) after[place].delete(id);
    else after[place].set(id, now);
  }
  return { ...before, ...after } as Live; // each map holds what its name says: the change chose both
}

function watch(hear: () => void): () => void {
  watching.add(hear);
  onBack(hurry);
  if (!socket && timer === undefined) connect();
  return () => {
    watching.delete(hear);
    // A page that is left for another is watched again in the next moment.
    window.setTimeout(() => {
      if (watching.size > 0) return;
      socket?.close();
      socket = undefined;
      for (const hear of lookingOn) hear();
    }, 1_000);
  };
}

function lookOn(hear: () => void): () => void {
  lookingOn.add(hear);
  return () => void lookingOn.delete(hear);
}

/** Undefined while nobody watches, or nothing comes: what stands there then is old. */
export function useIfWatched<Part>(pick: (live: Live) => Part): Part | undefined {
  return useSyncExternalStore(lookOn, () => (watching.size > 0 && now.state === "open" ? pick(now) : undefined));
}

/** Everything: whoever uses this is drawn again at every change. */
export function useLive(): Live {
  return useSyncExternalStore(watch, () => now);
}

/** One part of it, a map or a figure: drawn again only when that part is another one. */
export function useLivePart<Part>(pick: (live: Live) => Part): Part {
  return useSyncExternalStore(watch, () => pick(now));
}
