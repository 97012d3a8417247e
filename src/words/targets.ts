// Where a call can be sent, in words.

import { aboutTarget, type TargetKind, targetKinds } from "../exchange/plan/target.ts";
import type { Language } from "../languages.ts";

export function targetKindInWords(kind: TargetKind, language: Language): string {
  return aboutTarget(kind).words[language];
}

/** What may follow the slash of a kind that has but a few of them. */
export function targetChoices(kind: TargetKind, language: Language): { value: string; label: string }[] {
  const { choices = {} } = aboutTarget(kind);
  return Object.entries(choices).map(([value, words]) => ({ value, label: words[language] }));
}

export function splitTarget(target: string): { kind: TargetKind | undefined; rest: string } {
  const [first = "", ...rest] = target.split("/");
  return { kind: targetKinds().find((kind) => kind === first), rest: rest.join("/") };
}

/** `queue/200` becomes “Queue 200”; what is no target is shown as it is written. */
export function targetInWords(target: string, language: Language): string {
  const { kind, rest } = splitTarget(target);
  if (!kind) return target;
  const { words, choices } = aboutTarget(kind);
  const chosen = choices?.[rest];
  return `${words[language]} ${chosen ? `(${chosen[language]})` : rest}`.trim();
}

/** The same in the middle of a sentence. */
export function targetInside(target: string, language: Language): string {
  const words = targetInWords(target, language);
  return words === target ? target : words.charAt(0).toLocaleLowerCase(language) + words.slice(1);
}
