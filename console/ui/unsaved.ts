// What was filled in and not saved: whoever leaves it is asked first, whichever way he goes (a link, a tab, back, Escape,
// a cross, another address). A form only says that there is something (`useUnsaved`); windows and the router do the rest.

import { createContext, useContext, useEffect, useId, useMemo, useState, useSyncExternalStore } from "react";
import type { AroundNavHandler } from "wouter";

/** What is filled in inside of a window, or anywhere: a window stands in the page, and what it holds, the page holds. */
type Held = Set<string>;

const everywhere: Held = new Set();

/** Of one window: `close` asks first. */
export type Enclosure = { around: readonly Held[]; close(): void };

const Around = createContext<Enclosure>({ around: [everywhere], close: () => undefined });

export const EnclosureProvider = Around.Provider;

/** While it holds, whoever leaves is asked. */
export function useUnsaved(isDirty: boolean): void {
  const id = useId();
  const { around } = useContext(Around);
  useEffect(() => {
    if (!isDirty) return;
    for (const held of around) held.add(id);
    watch();
    return () => {
      for (const held of around) held.delete(id);
      watch();
    };
  }, [id, isDirty, around]);
}

/** The same where the form's own component stands outside of the window it draws. */
export function Unsaved({ when }: { when: boolean }): null {
  useUnsaved(when);
  return null;
}

/** For a window: it closes at once when nothing in it would be lost. */
export function useEnclosure(close: () => void): Enclosure & { isAsked: boolean } {
  const outside = useContext(Around).around;
  const [own] = useState<Held>(() => new Set());
  const around = useMemo(() => [own, ...outside], [own, outside]);
  const isAsked = useQuestion() !== undefined;
  return { around, close: () => askedFirst(own, close), isAsked };
}

/** Closes the window around it as its cross does. */
export function useClose(): () => void {
  return useContext(Around).close;
}

/** What takes the place of what is shown in the window around it, or on the page: other tabs, another person. */
export function useReplacing(): (replace: () => void) => void {
  const [innermost] = useContext(Around).around;
  return (replace) => askedFirst(innermost ?? everywhere, replace);
}

/** What would be lost. */
type Question = { about: "form" | "call"; leave(): void };

let question: Question | undefined;
const listeners = new Set<() => void>();

function put(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

export function useQuestion(): Question | undefined {
  const listen = (heard: () => void) => {
    listeners.add(heard);
    return () => void listeners.delete(heard);
  };
  return useSyncExternalStore(listen, () => question);
}

export function answerQuestion(leaves: boolean): void {
  const asked = question;
  put(undefined);
  if (leaves) asked?.leave();
}

function askedFirst(held: Held, leave: () => void): void {
  if (held.size === 0) leave();
  else put({ about: "form", leave });
}

/** The whole page goes; the browser does not ask a second time. */
export function leavePage(leave: () => void): void {
  askedFirst(everywhere, () => {
    everywhere.clear();
    watch();
    leave();
  });
}

/** In the middle of a call. */
export function leaveCall(leave: () => void): void {
  put({ about: "call", leave });
}

// The router's part. A form stands at a path, and at a tab of it; other words of the address leave it where it is.

const placeOf = (url: URL) => `${url.pathname}?${url.searchParams.get("tab") ?? ""}`;

let here = new URL("about:blank");
let isLetThrough = false;

export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => {
    navigate(to, options);
    here = new URL(location.href);
  };
  if (placeOf(new URL(to, location.href)) === placeOf(new URL(location.href))) go();
  else askedFirst(everywhere, go);
};

/**
 * Before anything is drawn: listeners of a window are called in the order in which they came, and the router would have
 * taken the form away.
 */
export function guardHistory(): void {
  addEventListener("popstate", wentBack);
}

/** Back and forward have happened when they are told: the address is put back before anybody else looks at it. */
function wentBack(event: PopStateEvent): void {
  const isFree = isLetThrough || everywhere.size === 0 || placeOf(here) === placeOf(new URL(location.href));
  isLetThrough = false;
  if (isFree) {
    here = new URL(location.href);
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(null, "", here);
  askedFirst(everywhere, () => {
    isLetThrough = true;
    history.back();
  });
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

let isWatching = false;

/** Only while there is something to lose: a page that listens for its end is kept by no browser. */
function watch(): void {
  const isNeeded = everywhere.size > 0;
  if (isNeeded === isWatching) return;
  isWatching = isNeeded;
  if (isNeeded) {
    here = new URL(location.href);
    addEventListener("beforeunload", warn);
  } else {
    removeEventListener("beforeunload", warn);
  }
}
