// Refusals of the store, for an operator: the sentence without its capital and its full stop, as a command ends with it.

import { giveUp } from "../server/give-up.ts";
import { isRefusal, type SetupRefusal } from "../store/refusal.ts";
import type { ConsoleRefusal } from "../words/refusals/refusal.ts";
import { refusalInWords } from "../words/refusals/words.ts";

export function inWords(refusal: ConsoleRefusal): string {
  return refusalInWords(refusal, "en")
    .replace(/\.$/, "")
    .replace(/^There /, "there ");
}

/** What was made, or the end of the command. */
export function orGiveUp<Made>(made: Made | SetupRefusal): Made {
  return isRefusal(made) ? giveUp(inWords(made)) : (made as Made);
}
