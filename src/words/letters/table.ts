// What a language must have words for: every kind of letter, and the message that goes beside one.

import type { Told, ToldOf, Written } from "../../store/letter-facts.ts";

export type LetterTable = {
  letters: { [Is in Told["is"]]: (told: ToldOf<Is>) => Written };
  messages: { "credits-low": (told: ToldOf<"credits-low">) => string };
};
