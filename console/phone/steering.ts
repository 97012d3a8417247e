// Orders to the phone that name no line: from the page around it, and from the keyboard.

import { can, frontLine, type Line, type LineAction } from "./lines.ts";
import type { ShortcutAction } from "./shortcuts.ts";

export type Steered = {
  dial(number: string): Promise<string | undefined>;
  answer(id: string): Promise<void>;
  reject(id: string): void;
  hangUp(id: string): void;
  mute(id: string, on: boolean): void;
  hold(id: string, on: boolean): void;
};

/** The line that an order is about: one that rings is answered or rejected, else it is the one in front. */
function meant(lines: readonly Line[], action: LineAction): Line | undefined {
  if (action === "answer" || action === "reject") return lines.find((line) => can(line, action));
  const front = frontLine(lines.filter(({ at }) => at !== "ringing"));
  return can(front, action) ? front : undefined;
}

const acts: Record<ShortcutAction, (phone: Steered, line: Line) => void> = {
  answer: (phone, { id }) => void phone.answer(id),
  reject: (phone, { id }) => phone.reject(id),
  hangUp: (phone, { id }) => phone.hangUp(id),
  mute: (phone, { id, muted }) => phone.mute(id, !muted),
  hold: (phone, { id, held }) => phone.hold(id, !held),
};

/** False when there is no line to do that with. */
export function steer(phone: Steered, lines: readonly Line[], action: ShortcutAction): boolean {
  const line = meant(lines, action);
  if (line) acts[action](phone, line);
  return line !== undefined;
}
