// The dialogs whose messages are gathered: those of calls for as long as they last, and for a moment whatever may become one.

import { between, type Clock, type Ticks } from "../../../clock.ts";
import type { TracedMessage, TraceRow } from "../../../store/sip-traces.ts";
import { type Budget, fullBudget, spend } from "../abuse/budget.ts";
import { maskSecrets } from "./mask.ts";

/** `begins`: it may start a dialog; `ends`: it ends one. `ours`: we sent it, so that nobody has to vouch for it. */
export type MessageKind = { begins: boolean; ends: boolean; ours: boolean };

export type TracedLeg = {
  over: Promise<unknown>;
  /** An earlier process began it. */
  resumed?: boolean;
};

export type Gathered = { rows: TraceRow[]; labels: { sipCallId: string; callUuid: string }[] };

export type Dialogs = {
  take(callId: string, message: () => TracedMessage, is: MessageKind): void;
  /** Somebody who may call has begun this dialog. */
  keep(callId: string): void;
  /** The dialog is a leg of that call, and is gathered until the leg is `over`, however long nobody says a word in it. */
  join(callUuid: string, callId: string, leg: TracedLeg): void;
  /** No dialog is being gathered. */
  isIdle(): boolean;
  /** The call of a dialog that is still being gathered. */
  callOf(callId: string): string | null | undefined;
  counts(): { gathered: number; passedOver: number };
  /** What was said since the last time; what is over is let go. */
  harvest(): Gathered;
};

/** Those that are legs of calls, a few octets each while nobody speaks; and those of whom nobody knows it yet. */
const MOST_LEGS = 50_000;
const MOST_DIALOGS = 5_000;
const MOST_MESSAGES = 200;
/** Kept free for how it ends, however much was said in between. */
const MOST_LAST = 16;
/** Of a caller who has not logged in yet: the challenge and what led to it. */
const MOST_UNKNOWN = 8;
const MOST_OCTETS = 8_192;
/** After this long without a word a dialog that is no leg, or is none any more, is over, or was never begun by anybody we know. */
const QUIET_MS = 60_000;
/** A leg that was handed to another machine never says that it is over. */
const QUIET_LEG_MS = 24 * 3_600_000;
const UNKNOWN_MS = 10_000;
/** Beyond this rate calls go untraced: support needs some ladders, not a second copy of a flood. */
const NEW_DIALOGS = { burst: 200, perSecond: 40 };
/** Goodbyes of dialogs that nobody knows: a call that was up may be gone on with, here, in a moment. */
const STRAYS = { burst: 1_000, perSecond: 20 };

type Dialog = {
  callId: string;
  callUuid: string | null;
  kept: boolean;
  /** While it is one of a call that is up. */
  leg: TracedLeg | undefined;
  unsaved: TracedMessage[];
  messages: number;
  rows: number;
  last: Ticks;
  relabel: boolean;
};

export function gatherDialogs(clock: Clock): Dialogs {
  const dialogs = new Map<string, Dialog>();
  const budget: Budget = fullBudget(NEW_DIALOGS, clock.ticks());
  const strays: Budget = fullBudget(STRAYS, clock.ticks());
  let legs = 0;
  /** Said under the name of a call that the leg has left since. */
  let left: TraceRow[] = [];
  let passedOver = 0;
  const isFull = () => dialogs.size - legs >= MOST_DIALOGS;

  return {
    take,
    keep: (callId) => void vouch(dialogs.get(callId)),
    join,
    isIdle: () => dialogs.size === 0,
    callOf: (callId) => dialogs.get(callId)?.callUuid,
    counts: () => ({ gathered: dialogs.size, passedOver }),
    harvest() {
      const rows = left;
      left = [];
      const harvested = [...dialogs.values()].map((dialog) => ({ dialog, ...harvestOf(dialog) }));
      for (const { dialog } of harvested) if (isOver(dialog, clock.ticks())) forget(dialog);
      return {
        rows: [...rows, ...harvested.flatMap(({ row }) => row ?? [])],
        labels: harvested.flatMap(({ label }) => label ?? []),
      };
    },
  };

  function forget(dialog: Dialog): void {
    letGo(dialog);
    dialogs.delete(dialog.callId);
  }

  function join(callUuid: string, callId: string, leg: TracedLeg): void {
    const known = dialogs.get(callId);
    const dialog = vouch(known ?? begin(callId, leg.resumed)); // its first message may be still to come
    if (!dialog || dialog.callUuid === callUuid) return;
    const isTaken = dialog.callUuid !== null; // from another call: what was said until now is that one's
    if (isTaken && dialog.unsaved.length > 0) left.push(rowOf(dialog));
    Object.assign(dialog, { callUuid, relabel: !isTaken && dialog.rows > 0 });
    if (dialog.leg || legs >= MOST_LEGS) return;
    legs++;
    dialog.leg = leg;
    void leg.over.finally(() => {
      dialog.last = clock.ticks(); // its last words are still under way
      letGo(dialog);
    });
  }

  function letGo(dialog: Dialog): void {
    if (!dialog.leg) return;
    dialog.leg = undefined;
    legs--;
  }

  function take(callId: string, message: () => TracedMessage, is: MessageKind): void {
    const { begins, ours, ends } = is;
    const dialog = dialogs.get(callId) ?? (begins ? begin(callId) : ends && !ours ? stray(callId) : undefined);
    if (!dialog || dialog.messages >= mostOf(dialog, ends)) return;
    if (begins && ours) dialog.kept = true;
    dialog.messages++;
    dialog.last = clock.ticks();
    dialog.unsaved.push(message());
  }

  function begin(callId: string, resumed = false): Dialog | undefined {
    // A start that goes on with thousands of calls is no flood.
    if (resumed ? legs < MOST_LEGS : !isFull() && spend(budget, 1, NEW_DIALOGS, clock.ticks())) return enter(callId);
    passedOver++;
    return undefined;
  }

  function stray(callId: string): Dialog | undefined {
    return !isFull() && spend(strays, 1, STRAYS, clock.ticks()) ? enter(callId) : undefined;
  }

  function enter(callId: string): Dialog {
    const dialog = newDialog(callId, clock.ticks());
    dialogs.set(callId, dialog);
    return dialog;
  }
}

function harvestOf(dialog: Dialog): { row: TraceRow | undefined; label: Gathered["labels"][number] | undefined } {
  const { callId: sipCallId, callUuid, relabel } = dialog;
  dialog.relabel = false;
  return {
    row: dialog.kept && dialog.unsaved.length > 0 ? rowOf(dialog) : undefined,
    label: relabel && callUuid ? { sipCallId, callUuid } : undefined,
  };
}

function vouch(dialog: Dialog | undefined): Dialog | undefined {
  if (dialog) dialog.kept = true;
  return dialog;
}

function newDialog(callId: string, last: Ticks): Dialog {
  return {
    callId,
    callUuid: null,
    kept: false,
    leg: undefined,
    unsaved: [],
    messages: 0,
    rows: 0,
    last,
    relabel: false,
  };
}

function mostOf({ kept }: Dialog, ends: boolean): number {
  if (!kept) return MOST_UNKNOWN;
  return ends ? MOST_MESSAGES + MOST_LAST : MOST_MESSAGES;
}

function isOver({ kept, leg, last }: Dialog, now: Ticks): boolean {
  return between(last, now) > (leg ? QUIET_LEG_MS : kept ? QUIET_MS : UNKNOWN_MS);
}

function rowOf(dialog: Dialog): TraceRow {
  const messages = dialog.unsaved.map((message) => ({ ...message, text: storable(message.text) }));
  dialog.unsaved = [];
  dialog.rows++;
  const octets = messages.reduce((sum, { text }) => sum + text.length, 0);
  return { sipCallId: dialog.callId, callUuid: dialog.callUuid, messages, octets };
}

/** Masked, cut to size, and without the one character that the database does not take. */
function storable(text: string): string {
  const cut = text.length > MOST_OCTETS ? `${text.slice(0, MOST_OCTETS)}…` : text;
  return maskSecrets(cut).replaceAll("\0", "\ufffd");
}
