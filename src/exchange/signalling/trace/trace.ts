// Looks on: every SIP message, for whoever watches now and for the ladder of the call that somebody will ask about.

import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Sighting } from "../../../sip/stack-options.ts";
import type { Db } from "../../../store/db.ts";
import type { TracedMessage } from "../../../store/sip-traces.ts";
import { beginsCall, callIdIn, endsCall, names } from "./call-id.ts";
import type { TracedLeg } from "./dialogs.ts";
import { type Ladders, openLadders } from "./ladders.ts";
import { maskSecrets } from "./mask.ts";

export type Filter = {
  /** A call's own id or a SIP Call-ID. */
  call?: string;
  extension?: string;
};

export type Trace = {
  observe(sighting: Sighting): void;
  /** Somebody who may call has begun the dialog with this Call-ID: from now on it is worth a ladder. */
  keep(sipCallId: string): void;
  /** The dialog with this Call-ID is a leg of that call, until the leg is over or another call takes it. */
  join(callUuid: string, sipCallId: string, leg: TracedLeg): void;
  /** Messages as they pass, secrets masked; what is returned stops it. Undefined when too many watch already. */
  watch(filter: Filter, see: (message: TracedMessage) => void): (() => void) | undefined;
  counts(): { watching: number; gathered: number; passedOver: number };
  /** What has been gathered is written now. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type TraceParts = {
  db: Db;
  clock: Clock;
  log: Log;
  /** Off: nothing is gathered, and a message that nobody watches costs nothing. */
  keepLadders?: boolean;
};

const MOST_WATCHING = 8;

type Watcher = { filter: Filter; see(message: TracedMessage): void };

export function openTrace({ db, clock, log, keepLadders = true }: TraceParts): Trace {
  const ladders: Ladders | undefined = keepLadders ? openLadders({ db, clock, log }) : undefined;
  const watchers = new Set<Watcher>();
  return {
    observe,
    keep: (sipCallId) => ladders?.keep(sipCallId),
    join: (callUuid, sipCallId, leg) => ladders?.join(callUuid, sipCallId, leg),
    watch(filter, see) {
      if (watchers.size >= MOST_WATCHING) return undefined;
      const watcher = { filter, see };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    counts: () => ({ watching: watchers.size, ...(ladders?.counts() ?? { gathered: 0, passedOver: 0 }) }),
    flush: async () => ladders?.flush(),
    close: async () => ladders?.close(),
  };

  function observe({ direction, peer, atMs, text: read }: Sighting): void {
    if (!ladders && watchers.size === 0) return;
    const text = read();
    const begins = beginsCall(text);
    const ends = !begins && endsCall(text);
    // Registrations are most of what passes, and while no call is up nobody wants them.
    if (watchers.size === 0 && !begins && !ends && ladders?.isIdle()) return;
    const callId = callIdIn(text);
    if (callId === undefined) return;
    const message = () => ({ atMs, direction, peer: `${peer.transport} ${peer.address}:${peer.port}`, text });
    if (ladders) ladders.take(callId, message, { begins, ends, ours: direction === "out" });
    if (watchers.size > 0) show(callId, message());
  }

  function show(callId: string, message: TracedMessage): void {
    let masked: TracedMessage | undefined;
    for (const { filter, see } of watchers) {
      if (!fits(filter, callId, message)) continue;
      masked ??= { ...message, text: maskSecrets(message.text) };
      see(masked);
    }
  }

  function fits({ call, extension }: Filter, callId: string, { text }: TracedMessage): boolean {
    if (extension !== undefined && !names(text, extension)) return false;
    return call === undefined || call === callId || ladders?.callOf(callId) === call.toLowerCase();
  }
}
