// What a browser is told while no page is open in it. Facts: it makes the words itself, in its reader's language.

import type { Language } from "../languages.ts";

/** `ringing` asks for somebody; the others take its place: somebody has answered, nobody has, or a message was left. */
export type CallNote = {
  is: "ringing" | "missed" | "answered" | "message";
  call: string;
  number: string;
  name: string;
};

/** As it travels. */
export type PushNote = CallNote & { language: Language };
