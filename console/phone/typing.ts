// Whether a key that was pressed goes into a field, or is an order to the phone.

import { type ShortcutAction, shortcutOf } from "./shortcuts.ts";

/** Whoever writes something means the letters; but nobody has to leave his field first to take a call. */
export function orderBy(event: KeyboardEvent): ShortcutAction | undefined {
  const action = shortcutOf(event);
  return action === "answer" || !isTyping(event.target) ? action : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !/^(button|checkbox|radio|range|reset|submit)$/.test(target.type);
}
