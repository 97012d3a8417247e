// A note on the desktop when somebody calls and the page is not looked at. Its owner is asked once, by a line with a button.

import type { Line } from "./lines.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";
import { texts, type Words } from "./texts.ts";
import { whoOn } from "./who.ts";

const ICON = "/console/icon-192.png";

/** A frame of somebody else's page is never let. */
export function mayAskForNotes(): boolean {
  return "Notification" in window && Notification.permission === "default" && isAmongOwn();
}

/** Whatever the answer is, nobody is asked again. */
export async function askForNotes(): Promise<void> {
  await Notification.requestPermission();
}

export function followDesktop(store: Store<PhoneState>): void {
  const shown = new Map<string, Notification>();
  store.watch(({ lines, choices: { language } }, before) => {
    if (lines === before.lines) return;
    const ringing = lines.filter(({ at }) => at === "ringing");
    for (const [id, note] of shown)
      if (!ringing.some((line) => line.id === id)) {
        note.close();
        shown.delete(id);
      }
    for (const line of ringing) {
      if (shown.has(line.id) || before.lines.some(({ id }) => id === line.id) || isLookedAt()) continue;
      const note = show(line, texts[language]);
      if (note) shown.set(line.id, note);
    }
  });
}

function show(line: Line, words: Words): Notification | undefined {
  if (!("Notification" in window) || Notification.permission !== "granted") return undefined;
  const who = whoOn(line, words);
  const body = [words.incoming, who === line.name ? line.number : "", line.queue].filter((it) => it !== "").join(" · ");
  try {
    const note = new Notification(who, { body, tag: line.callUuid || line.id, icon: ICON, requireInteraction: true });
    note.onclick = () => {
      window.parent.focus();
      window.focus();
      note.close();
    };
    return note;
  } catch {
    return undefined; // telephones with a browser let only a service worker do it
  }
}

function isAmongOwn(): boolean {
  try {
    return window.parent.location.origin === location.origin;
  } catch {
    return false; // of another origin: it does not say
  }
}

/** By the page around it, where that is ours. */
function isLookedAt(): boolean {
  return document.visibilityState === "visible" && (isAmongOwn() ? window.parent.document : document).hasFocus();
}
