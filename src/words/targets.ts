// Where a call can be sent, in words.

import { aboutTarget, type TargetKind, targetKinds } from "../exchange/plan/target.ts";
import type { Language } from "../languages.ts";

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
