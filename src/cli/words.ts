// Refusals of the store as sentences for an operator.

import { giveUp } from "../server/give-up.ts";
import { isRefusal, type SetupRefusal } from "../store/refusal.ts";

const words: { [R in SetupRefusal["refused"]]: (refusal: Extract<SetupRefusal, { refused: R }>) => string } = {
  "number-taken": ({ number, by }) =>
    by === "exchange" ? `${number} already belongs to an exchange` : `${number} is already the number of ${aNoun[by]}`,
  "bad-number": ({ number, form }) => `"${number}" is not a number: it takes ${form}`,
  "name-taken": ({ what, name }) => `there is already a ${what} ${name}`,
  "not-found": ({ what, which }) => `there is no ${what} ${which}`,
  "twice-in-list": ({ number }) => `${number} stands in the list twice`,
  "in-use": ({ what, which, by }) => `${what} ${which} is in use by ${by}: change that first`,
};

const aNoun = { extension: "an extension", queue: "a queue", group: "a ring group", menu: "a voice menu" } as const;

function inWords(refusal: SetupRefusal): string {
  // The words are chosen by the very field their parameter narrows on.
  return (words[refusal.refused] as (refusal: SetupRefusal) => string)(refusal);
}

/** What was made, or the end of the command. */
export function orGiveUp<Made>(made: Made | SetupRefusal): Made {
  return isRefusal(made) ? giveUp(inWords(made)) : (made as Made);
}
