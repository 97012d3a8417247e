// A page of the web phone that goes away while it rings: the next tab of its owner's, or the same page loaded anew, rings on.

import { type Cancel, type Clock, since, type Ticks } from "../../clock.ts";
import type { Leg } from "../calls/leg.ts";
import type { Latecomers } from "../calls/ring.ts";
import { type Binding, isBrowser } from "../signalling/registrar/binding.ts";

type Rung = { phone: Binding; leg: Leg };

export type HeirNeeds = {
  clock: Clock;
  /** The phones of the extension that can be reached now. */
  there(): readonly Binding[];
  onRegister(listen: () => void): Cancel;
  legTo(phone: Binding): Leg;
};

/** A page that nobody follows in this time has left nobody behind. */
const HEIR_MS = 5_000;
const LOOK_MS = 500;

/** Beside `others` who may come: whoever is waited for anyhow has his phone ring for the whole time. */
export function heirsOf(
  needs: HeirNeeds,
  rung: readonly Rung[],
  others: Latecomers | undefined,
): Latecomers | undefined {
  const pages = rung.filter(({ phone }) => isBrowser(phone));
  if (pages.length === 0) return others;
  return (waiting) => {
    const stop = others?.(waiting);
    if (!stop) waiting.nobodyComes();
    const stopLooking = followPages(needs, { pages, known: rung, isAlone: !stop }, waiting);
    return () => {
      stop?.();
      stopLooking();
    };
  };
}

type Followed = { pages: readonly Rung[]; known: readonly Rung[]; isAlone: boolean };

function followPages(
  { clock, there, onRegister, legTo }: HeirNeeds,
  { pages, known, isAlone }: Followed,
  waiting: Parameters<Latecomers>[0],
): Cancel {
  const left = new Map(pages.map((page) => [page, undefined as Ticks | undefined]));
  const ways = new Set(known.map(({ phone }) => wayTo(phone)));
  const keys = new Set(known.map(({ phone }) => phone.key));
  let cancel: Cancel = () => undefined;
  const look = () => {
    cancel();
    if (left.size > 0) cancel = clock.after(LOOK_MS, look);
    const now = there();
    const gone = [...left.keys()].filter(({ phone }) => !now.some((other) => wayTo(other) === wayTo(phone)));
    for (const page of left.keys()) left.set(page, gone.includes(page) ? (left.get(page) ?? clock.ticks()) : undefined);
    const heirs = gone.length === 0 ? [] : now.filter((phone) => !ways.has(wayTo(phone)));
    for (const heir of heirs) {
      ways.add(wayTo(heir));
      // Of a key that is new the others know by themselves.
      if (isAlone || keys.has(heir.key)) waiting.join(legTo(heir));
    }
    for (const page of gone) {
      if (heirs.length === 0 && !(isAlone && since(clock, left.get(page) ?? clock.ticks()) >= HEIR_MS)) continue;
      left.delete(page);
      waiting.gone(page.leg);
    }
  };
  const stopHearing = onRegister(look);
  look();
  return () => {
    cancel();
    stopHearing();
  };
}

/** A page that has found its network again has its name and another connection, and knows of no call that rang. */
function wayTo({ key, destination }: Binding): string {
  return `${key} ${destination.connection ?? ""}`;
}
