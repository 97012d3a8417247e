// Gathers the messages of calls and writes them down now and then; nothing a stranger sends is kept.

import { between, type Clock, LONG_AGO, type Ticks } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Db } from "../../../store/db.ts";
import { forgetTraces, labelTraces, saveTraces, type TracedMessage, type TraceRow } from "../../../store/sip-traces.ts";
import { type Budget, fullBudget, spend } from "../abuse/budget.ts";
import { maskSecrets } from "./mask.ts";

export type Ladders = {
  /** Takes a message of a dialog; `begins`: it may start one. `ours`: we sent it, so that nobody has to vouch for it. */
  take(callId: string, message: () => TracedMessage, is: { begins: boolean; ours: boolean }): void;
  /** Somebody who may call has begun this dialog. */
  keep(callId: string): void;
  join(callUuid: string, callId: string): void;
  /** No dialog is being gathered. */
  isIdle(): boolean;
  /** Call-IDs of a call's dialogs that are still being gathered. */
  dialogsOf(callUuid: string): string[];
  counts(): { gathered: number; passedOver: number };
  flush(): Promise<void>;
  close(): Promise<void>;
};

const WRITE_MS = 2_000;
const PRUNE_MS = 600_000;
const KEPT_HOURS = 24;
const MOST_ROWS = 300_000;
const MOST_DIALOGS = 5_000;
const MOST_MESSAGES = 200;
/** Of a caller who has not logged in yet: the challenge and what led to it. */
const MOST_UNKNOWN = 8;
const MOST_OCTETS = 8_192;
/** After this long without a word a dialog is over, or was never begun by anybody we know. */
const QUIET_MS = 60_000;
const UNKNOWN_MS = 10_000;
/** Beyond this rate calls go untraced: support needs some ladders, not a second copy of a flood. */
const NEW_DIALOGS = { burst: 200, perSecond: 40 };

type Dialog = {
  callId: string;
  callUuid: string | null;
  kept: boolean;
  unsaved: TracedMessage[];
  messages: number;
  rows: number;
  last: Ticks;
  relabel: boolean;
};

export function openLadders({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Ladders {
  const dialogs = new Map<string, Dialog>();
  const budget: Budget = fullBudget(NEW_DIALOGS, clock.ticks());
  let passedOver = 0;
  let writing: Promise<void> = Promise.resolve();
  let pruned = LONG_AGO;
  let cancel = clock.after(WRITE_MS, tick);

  return {
    take,
    keep: (callId) => void vouch(dialogs.get(callId)),
    join(callUuid, callId) {
      const dialog = vouch(dialogs.get(callId) ?? begin(callId)); // its first message may be still to come
      if (dialog) Object.assign(dialog, { callUuid, relabel: dialog.rows > 0 });
    },
    isIdle: () => dialogs.size === 0,
    dialogsOf: (callUuid) => [...dialogs.values()].flatMap((it) => (it.callUuid === callUuid ? it.callId : [])),
    counts: () => ({ gathered: dialogs.size, passedOver }),
    flush: write,
    async close() {
      cancel();
      await write();
    },
  };

  function take(callId: string, message: () => TracedMessage, is: { begins: boolean; ours: boolean }): void {
    const { begins, ours } = is;
    const dialog = dialogs.get(callId) ?? (begins ? begin(callId) : undefined);
    if (!dialog || dialog.messages >= (dialog.kept ? MOST_MESSAGES : MOST_UNKNOWN)) return;
    if (begins && ours) dialog.kept = true;
    dialog.messages++;
    dialog.last = clock.ticks();
    dialog.unsaved.push(message());
  }

  function begin(callId: string): Dialog | undefined {
    if (dialogs.size >= MOST_DIALOGS || !spend(budget, 1, NEW_DIALOGS, clock.ticks())) {
      passedOver++;
      return undefined;
    }
    const dialog = newDialog(callId, clock.ticks());
    dialogs.set(callId, dialog);
    return dialog;
  }

  function tick(): void {
    cancel = clock.after(WRITE_MS, tick);
    void write();
  }

  function write(): Promise<void> {
    writing = writing.then(writeNow).catch((error: unknown) => {
      log.error({ error: String(error) }, "SIP traces could not be written");
    });
    return writing;
  }

  async function writeNow(): Promise<void> {
    const now = clock.ticks();
    const rows: TraceRow[] = [];
    const labels: { sipCallId: string; callUuid: string }[] = [];
    for (const dialog of dialogs.values()) {
      if (dialog.kept && dialog.unsaved.length > 0) rows.push(rowOf(dialog));
      if (dialog.relabel && dialog.callUuid) labels.push({ sipCallId: dialog.callId, callUuid: dialog.callUuid });
      dialog.relabel = false;
      if (isOver(dialog, now)) dialogs.delete(dialog.callId);
    }
    await saveTraces(db, rows);
    await labelTraces(db, labels);
    if (between(pruned, now) < PRUNE_MS) return;
    pruned = now;
    await forgetTraces(db, { olderThanHours: KEPT_HOURS, mostRows: MOST_ROWS });
  }
}

function vouch(dialog: Dialog | undefined): Dialog | undefined {
  if (dialog) dialog.kept = true;
  return dialog;
}

function newDialog(callId: string, last: Ticks): Dialog {
  return { callId, callUuid: null, kept: false, unsaved: [], messages: 0, rows: 0, last, relabel: false };
}

const isOver = ({ kept, last }: Dialog, now: Ticks) => between(last, now) > (kept ? QUIET_MS : UNKNOWN_MS);

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
