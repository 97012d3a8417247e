// The forms in which a telephone number may stand in a record.

import { nationally, readNumber, written } from "./numbers.ts";

/** A record keeps the number as the call had it; whoever asks may know another spelling of it. */
export function spellingsOf(sent: string): string[] {
  const number = readNumber(sent);
  if (number.is === "invalid" || number.is === "service") return [sent];
  const forms = [sent, written(number), nationally(number)];
  return "e164" in number ? [...forms, `+${number.e164}`, number.e164] : forms;
}
