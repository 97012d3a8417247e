// The calls of the phone in the corner, as it tells them: for the title, the warning before leaving, and the panel.

import { useEffect, useState, useSyncExternalStore } from "react";
import { suspectLoss } from "../ask/connection.ts";
import { warnBeforeLeaving } from "../phone/leaving.ts";
import { type CallTold, PHONE, type PhoneCommand, type PhoneEvent } from "../phone/messages.ts";
import { type ShortcutAction, shortcutOf } from "../phone/shortcuts.ts";
import { isTyping } from "../phone/typing.ts";
import { holdReloads } from "./fetch-page.ts";

let calls: readonly CallTold[] = [];
/** The phone while it can be called from. */
let phone: Window | undefined;
const watching = new Set<() => void>();

function tell(next: readonly CallTold[]): void {
  calls = next;
  warnBeforeLeaving(next.length > 0);
  holdReloads(next.length > 0);
  for (const see of [...watching]) see();
}

export function usePhoneCalls(): readonly CallTold[] {
  return useSyncExternalStore(
    (see) => {
      watching.add(see);
      return () => void watching.delete(see);
    },
    () => calls,
  );
}

/** Who rings, to be seen in the title. */
export function useRinging(): CallTold | undefined {
  return usePhoneCalls().find(({ state }) => state === "ringing");
}

/** False when there is no phone here that could. */
export function dialByPhone(number: string): boolean {
  if (!phone) return false;
  phone.postMessage({ to: PHONE, command: "dial", number } satisfies PhoneCommand, location.origin);
  return true;
}

/** Whoever hangs up means the one he talks to, and not somebody who rings meanwhile. */
function hangUp(): PhoneCommand | undefined {
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

/** Whether the phone's token has run out; listens and passes on keys while there is a frame. */
export function useFrame(frame: HTMLIFrameElement | null): boolean {
  const [isExpired, expire] = useState(false);
  useEffect(() => {
    if (!frame) return undefined;
    expire(false);
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      const event = data as PhoneEvent; // of our own origin and that very frame
      if (event.from !== PHONE) return;
      if (event.event === "state") {
        tell(event.calls);
        phone = event.registered ? (frame.contentWindow ?? undefined) : undefined;
        if (!event.registered) suspectLoss(); // it has a socket of its own, and notices first
      }
      if (event.event === "token-expired") expire(true);
    };
    const pass = (event: KeyboardEvent) => {
      const action = isTyping(event.target) ? undefined : shortcutOf(event);
      if (!action || calls.length === 0) return;
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
      tell([]);
    };
  }, [frame]);
  return isExpired;
}
