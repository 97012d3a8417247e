// What an alarm does beside being shown: a sound for who has turned it on, a note on the desktop for who supervises.

import { useEffect, useMemo, useRef, useState } from "react";
import type { AlarmNow } from "../../../src/exchange/features/alarms/alarm-now.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { useIfWatched } from "../../live/live.ts";
import { ring } from "../../live/ring.ts";

const KEPT = "santral.alarm-sound";
const ICON = "/console/icon-192.png";

const isHeard = () => localStorage.getItem(KEPT) === "on";

/** Off until somebody wants it; the browser remembers. */
export function useAlarmSound(): { isOn: boolean; turn(on: boolean): void } {
  const [isOn, setOn] = useState(isHeard);
  return {
    isOn,
    turn(on) {
      localStorage.setItem(KEPT, on ? "on" : "off");
      setOn(on);
      // A browser lets a page be heard from a click on; and one hears what it will be.
      if (on) ring();
    },
  };
}

export function useMayBeNoted(): { ask: (() => void) | undefined } {
  const { may } = useSession();
  const [isOpen, setOpen] = useState(() => "Notification" in window && Notification.permission === "default");
  if (!isOpen || !may.includes("calls.supervise")) return { ask: undefined };
  return { ask: () => void Notification.requestPermission().then(() => setOpen(false)) };
}

const LOOK_AGAIN_MS = 30_000;

/** Those that are on: as they are told where a board is open, else asked for now and then. Undefined: not known yet. */
export function useAlarms(): ReadonlyMap<string, AlarmNow> | undefined {
  const told = useIfWatched((live) => live.alarms);
  const asked = useAsk("alarms.now", told ? undefined : {}, { refetchMs: LOOK_AGAIN_MS }).data;
  return useMemo(() => told ?? (asked && new Map(asked.map((alarm) => [String(alarm.id), alarm]))), [told, asked]);
}

/** Calls for those alarms that begin while the console is open; `say` is a note in words. */
export function useCalling(alarms: ReadonlyMap<string, AlarmNow> | undefined, say: (alarm: AlarmNow) => string): void {
  const { may } = useSession();
  /** Also those that are over: each is called for once. */
  const known = useRef<Set<string>>(undefined);
  const notes = useRef(new Map<string, Notification>());
  const isNoted = may.includes("calls.supervise");
  useEffect(() => {
    if (!alarms) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...alarms.keys()]);
    for (const [id, note] of notes.current)
      if (!alarms.has(id)) {
        note.close();
        notes.current.delete(id);
      }
    if (!before) return;
    const begun = [...alarms].filter(([id]) => !before.has(id));
    if (begun.length > 0 && isHeard()) ring();
    for (const [id, alarm] of isNoted ? begun : []) {
      const note = showNote(id, say(alarm));
      if (note) notes.current.set(id, note);
    }
  }, [alarms, isNoted, say]);
}

function showNote(id: string, text: string): Notification | undefined {
  if (!("Notification" in window) || Notification.permission !== "granted") return undefined;
  try {
    const note = new Notification("Santral", { body: text, tag: `alarm ${id}`, icon: ICON });
    note.onclick = () => {
      window.focus();
      note.close();
    };
    return note;
  } catch {
    return undefined; // telephones with a browser let only a service worker do it
  }
}
