// The calls of the phone in the corner, as it tells them: for the title, the warning before leaving, and the panel.

import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { suspectLoss } from "../ask/connection.ts";
import { warnBeforeLeaving } from "../phone/leaving.ts";
import { type CallTold, PHONE, type PhoneCommand, type PhoneEvent } from "../phone/messages.ts";
import type { ShortcutAction } from "../phone/shortcuts.ts";
import { orderBy } from "../phone/typing.ts";
import { holdReloads } from "./fetch-page.ts";

let calls: readonly CallTold[] = [];
/** Of the phone in another tab, which hears what is ordered here. */
let elsewhere: readonly CallTold[] = [];
/** The phone while it can be called from. */
let phone: Window | undefined;
/** There as soon as it has loaded, whether it is the phone or waits. */
let frameHere: Window | undefined;
/** Its owner has said so, and the browser does not ask a second time. */
let isLeaving = false;
const watching = new Set<() => void>();

function tell(next: readonly CallTold[]): void {
  calls = next;
  warnBeforeLeaving(next.length > 0 && !isLeaving);
  holdReloads(next.length > 0);
  for (const see of [...watching]) see();
}

function tellElsewhere(next: readonly CallTold[]): void {
  elsewhere = next;
  for (const see of [...watching]) see();
}

function watch(see: () => void): () => void {
  watching.add(see);
  return () => void watching.delete(see);
}

export function usePhoneCalls(): readonly CallTold[] {
  return useSyncExternalStore(watch, () => calls);
}

/** Whether it can be called. */
export function useIsReachable(): boolean {
  return useSyncExternalStore(watch, () => phone !== undefined);
}

/** Of the phone in another tab of this browser, while that one is it. */
export function useCallsElsewhere(): readonly CallTold[] {
  return useSyncExternalStore(watch, () => elsewhere);
}

/** Who rings, here or in another tab, to be seen in the title. */
export function useRinging(): CallTold | undefined {
  return [...usePhoneCalls(), ...useCallsElsewhere()].find(({ state }) => state === "ringing");
}

/** In a call, it takes no order to begin another. */
export function isPhoneBusy(): boolean {
  return phone !== undefined && calls.length > 0;
}

/** `take`: its calls go on here. */
export function orderElsewhere(order: "answer" | "reject" | "hangup" | "take"): void {
  frameHere?.postMessage({ to: PHONE, command: order } satisfies PhoneCommand, location.origin);
}

/** Undefined when there is no phone here that could. */
export function dialByPhone(number: string): "dials" | "busy" | undefined {
  if (!phone) return undefined;
  if (isPhoneBusy()) return "busy";
  phone.postMessage({ to: PHONE, command: "dial", number } satisfies PhoneCommand, location.origin);
  return "dials";
}

/** Before a page is left for good. */
export function endCalls(): void {
  isLeaving = true;
  warnBeforeLeaving(false);
  for (const { id } of calls)
    phone?.postMessage({ to: PHONE, command: "hangup", id } satisfies PhoneCommand, location.origin);
}

/** Whoever hangs up means the one he talks to, and not somebody who rings meanwhile. */
function hangUp(): PhoneCommand | undefined {
  if (calls.length === 0) return { to: PHONE, command: "hangup" }; // in another tab, which sees to that itself
  const up = calls.filter(({ state }) => state !== "ringing");
  const front = up.find(({ held }) => !held) ?? up[0];
  return front && { to: PHONE, command: "hangup", id: front.id };
}

const commands: Record<ShortcutAction, () => PhoneCommand | undefined> = {
  answer: () => ({ to: PHONE, command: "answer" }),
  reject: () => ({ to: PHONE, command: "reject" }),
  hangUp,
  mute: () => ({ to: PHONE, command: "mute" }),
  hold: () => ({ to: PHONE, command: "hold" }),
};

export type PhoneToken = {
  /** Its token is over, or soon will be. */
  isWanted: boolean;
  give(token: string): void;
};

/** Listens and passes on keys while there is a frame. `refused`: it did not dial. */
export function useFrame(frame: HTMLIFrameElement | null, refused: (isBusy: boolean) => void): PhoneToken {
  const [isWanted, want] = useState(false);
  const give = useCallback(
    (token: string) =>
      frame?.contentWindow?.postMessage({ to: PHONE, command: "token", token } satisfies PhoneCommand, location.origin),
    [frame],
  );
  useEffect(() => {
    if (!frame) return undefined;
    want(false);
    frameHere = frame.contentWindow ?? undefined;
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      const event = data as PhoneEvent; // of our own origin and that very frame
      if (event.from !== PHONE) return;
      if (event.event === "state") {
        phone = event.registered ? (frame.contentWindow ?? undefined) : undefined;
        tell(event.calls);
        if (!event.registered) suspectLoss(); // it has a socket of its own, and notices first
      }
      if (event.event === "elsewhere") tellElsewhere(event.calls);
      if (event.event === "token-ends" || event.event === "token-expired") want(true);
      if (event.event === "token-taken") want(false);
      if (event.event === "refused" && event.command === "dial") refused(event.because === "busy");
    };
    const pass = (event: KeyboardEvent) => {
      const action = orderBy(event);
      const all = [...calls, ...elsewhere];
      const isMeant = action === "answer" ? all.some(({ state }) => state === "ringing") : all.length > 0;
      if (!action || !isMeant) return;
      event.preventDefault();
      const command = commands[action]();
      if (command) frame.contentWindow?.postMessage(command, location.origin);
    };
    window.addEventListener("message", hear);
    window.addEventListener("keydown", pass);
    return () => {
      window.removeEventListener("message", hear);
      window.removeEventListener("keydown", pass);
      phone = undefined;
      frameHere = undefined;
      tell([]);
      tellElsewhere([]);
    };
  }, [frame, refused]);
  return { isWanted, give };
}
