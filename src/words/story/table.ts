// What a language must have words for: every kind of fact that a call's story can hold.

import type { StoryFact, StoryFactOf } from "../../exchange/calls/story.ts";

export type StoryWords = { [Is in StoryFact["is"]]: (fact: StoryFactOf<Is>) => string };

/** The values that one field of a kind can have: `OneOf<"barred", "why">`. */
export type OneOf<Is extends StoryFact["is"], Field extends keyof StoryFactOf<Is>> = StoryFactOf<Is>[Field] & string;
