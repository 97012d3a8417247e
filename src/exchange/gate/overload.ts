// Lets calls begin only as fast as the machine carries them: the rest is refused at the door, those that are up go on.
//
// Whatever the setting up of a call waits for is asked for a sign of life: the event loop, the media threads, the SIP
// doors, the journal. Each round of signs brings leave for a few more calls. The busier the machine, the later its signs
// and the fewer calls begin: what it can carry need not be known or set, and nothing is asked while nobody calls.
// Who finds no leave waits in line for a moment. Only when the line stands is it an overload, and calls are refused until
// there is leave to spare again.

import { between, type Cancel, type Clock, LONG_AGO, since, type Ticks, within } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type Tell, WaitingCalls } from "./waiting-calls.ts";

export type CallGate = {
  /** One more call begins, if it may at once. */
  enter(): boolean;
  /** One more call begins at once, in its turn, or not at all: `tell` hears which. What is returned leaves the line. */
  queue(tell: Tell): Cancel;
  /** No call may begin now, nor wait for it. */
  isShut(): boolean;
  /** A call was turned away without having asked to enter. */
  turnedAway(): void;
  state(): GateState;
  /** Who waits is refused. */
  close(): void;
};

export type GateState = {
  /** More calls are asked for than are let in, now or a moment ago. */
  refusing: boolean;
  /** Since the start. */
  entered: number;
  refused: number;
  /** In line. */
  waiting: number;
  /** How late the last round of signs was. */
  delayMs: number;
};

export type GateParts = {
  clock: Clock;
  log: Log;
  /** Each is kept as soon as that part has done what was asked of it before. */
  signs: readonly (() => Promise<void>)[];
  /** What calls leave behind could not be kept any more: none may begin, however idle the machine is. */
  isFull?: () => boolean;
};

/** So many may begin at once after a quiet moment: a whole office that picks up the phone is no overload. */
const MOST_AT_ONCE = 100;
const CALLS_A_ROUND = 16;
const BETWEEN_ROUNDS_MS = 10;
/** A part that says nothing for so long may be broken; a few calls still get their chance. */
const PATIENCE_MS = 1_000;
/** Refusals further apart than this belong to different troubles. */
const OVER_AFTER_MS = 5_000;

export function openCallGate({ clock, log, signs, isFull = () => false }: GateParts): CallGate {
  const trouble = new Trouble(clock, log);
  const line = new WaitingCalls(clock);
  let leave = MOST_AT_ONCE;
  let isOverloaded = false;
  let delayMs = 0;
  let entered = 0;
  let round: Cancel | undefined;
  const isShut = () => isFull() || (leave < 1 && (isOverloaded || line.isFull));
  return {
    isShut,
    enter() {
      const isLet = take();
      if (!isLet) trouble.refused(delayMs);
      return isLet;
    },
    queue(tell) {
      const isLet = take();
      if (!isLet && !isShut()) return line.join(tell);
      if (!isLet) trouble.refused(delayMs);
      tell(isLet);
      return () => undefined;
    },
    turnedAway: () => trouble.refused(delayMs),
    state: () => ({ refusing: trouble.isOn(), entered, refused: trouble.refusals, waiting: line.length, delayMs }),
    close() {
      round?.();
      trouble.close();
      line.serve(line.length, false);
    },
  };

  function take(): boolean {
    if (leave < 1 || isFull()) return false;
    leave -= 1;
    entered += 1;
    round ??= begin();
    return true;
  }

  function begin(): Cancel {
    const due = within(clock, BETWEEN_ROUNDS_MS);
    return clock.after(BETWEEN_ROUNDS_MS, () => {
      round = whenSigned({ clock, signs }, () => {
        delayMs = since(clock, due);
        grant();
        round = leave < MOST_AT_ONCE ? begin() : undefined;
      });
    });
  }

  /** Those in line come first, so that whoever finds leave finds nobody waiting for it. */
  function grant(): void {
    isOverloaded ||= line.isStanding();
    leave = Math.min(MOST_AT_ONCE, leave + CALLS_A_ROUND);
    const next = Math.min(leave, line.length);
    leave -= next;
    entered += next;
    // Asked for less than there was to give for a while: the trouble is over.
    if (leave === MOST_AT_ONCE) isOverloaded = false;
    line.serve(next, true);
  }
}

/** Acts once, when every part has given its sign or patience is at its end. */
function whenSigned({ clock, signs }: Pick<GateParts, "clock" | "signs">, act: () => void): Cancel {
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    cancel();
    act();
  };
  const stopWaiting = clock.after(PATIENCE_MS, finish);
  const cancel = () => {
    isOver = true;
    stopWaiting();
  };
  void Promise.allSettled(signs.map((sign) => sign())).then(finish);
  return cancel;
}

/** A time in which calls are refused: told when it begins and when it is over, however many there are. */
class Trouble {
  refusals = 0;
  readonly #clock: Clock;
  readonly #log: Log;
  #began: { at: Ticks; refusals: number } | undefined;
  #last = LONG_AGO;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  isOn(): boolean {
    return this.#began !== undefined;
  }

  refused(delayMs: number): void {
    this.#last = this.#clock.ticks();
    if (!this.#began) {
      this.#began = { at: this.#last, refusals: this.refusals };
      this.#log.warn({ delayMs }, "more calls are asked for than this machine carries: the others are refused");
      this.#cancel = this.#clock.after(OVER_AFTER_MS, () => this.#look());
    }
    this.refusals += 1;
  }

  close(): void {
    this.#cancel();
  }

  #look(): void {
    const quietMs = since(this.#clock, this.#last);
    if (!this.#began) return;
    if (quietMs < OVER_AFTER_MS) {
      this.#cancel = this.#clock.after(OVER_AFTER_MS - quietMs, () => this.#look());
      return;
    }
    const refused = this.refusals - this.#began.refusals;
    const seconds = Math.ceil(between(this.#began.at, this.#last) / 1_000);
    this.#began = undefined;
    this.#log.warn({ refused, seconds }, "calls are no longer refused");
  }
}
