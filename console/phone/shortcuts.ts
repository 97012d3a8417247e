// Keys of the keyboard for the call in front, the same in the phone and in the console around it.

import type { LineAction } from "./lines.ts";

/** With Alt and Shift: by themselves they are letters of whoever types, and browsers have most of the others. */
export const shortcuts = { answer: "A", reject: "D", hangUp: "H", mute: "M", hold: "B" } as const satisfies Partial<
  Record<LineAction, string>
>;

export type ShortcutAction = keyof typeof shortcuts;

/** Of the browser's own event. */
export type Pressed = {
  key: string;
  code: string;
  altKey: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
};

/** Some keyboards write a sign of their own with Alt: then the place of the key decides. */
export function shortcutOf(pressed: Pressed): ShortcutAction | undefined {
  const { key, code, altKey, shiftKey, ctrlKey, metaKey } = pressed;
  if (!altKey || !shiftKey || ctrlKey || metaKey) return undefined;
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, "");
  return (Object.keys(shortcuts) as ShortcutAction[]).find((action) => shortcuts[action] === letter);
}
