// Which form belongs to which line, as plain data.

import type { FormShown } from "../../src/http/webphone/shown.ts";
import type { Line } from "./lines.ts";

/** What was typed into forms and not saved yet, by call. */
export type Drafts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** So many digits at the end make two spellings of a number the same. */
const TAIL = 7;

/**
 * The form of a line. The exchange tells the phone which call a line is when it rings, and not when it is dialled; and
 * who was asked first and then got the caller is in another call than the one that rang. So: by the call, else by the
 * number that was dialled, else the newest of a call that goes on and is no other line's.
 */
export function formOf(line: Line, lines: readonly Line[], forms: readonly FormShown[]): FormShown | undefined {
  const known = ownForm(line, forms);
  if (known || line.at !== "talking") return known;
  const others = lines.filter(({ id }) => id !== line.id).map((other) => ownForm(other, forms));
  return forms.find((form) => form.isUp && !form.aside && !others.includes(form));
}

function ownForm({ callUuid, direction, number }: Line, forms: readonly FormShown[]): FormShown | undefined {
  if (callUuid !== "") return forms.find((form) => form.callUuid === callUuid);
  if (direction !== "out") return undefined;
  return forms.find((form) => form.isUp && form.direction === "outbound" && isSame(form.number, number));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((number) => number.replace(/\D/g, "").slice(-TAIL));
  return a !== "" && a === b;
}

/** What its owner is still shown. */
export function openForms(forms: readonly FormShown[]): FormShown[] {
  return forms.filter(({ aside }) => !aside);
}
