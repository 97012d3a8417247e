// Event and Subscription-State (RFC 6665): what is watched, and how the watch stands.

import { consistsOf, TOKEN } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { type Header, headerOf, type Message } from "../message/message.ts";
import { type Parameters, parameterOf, parseParameters } from "../message/parameters.ts";

/** `package` with its templates, as in "presence.winfo". */
export type Event = { readonly package: string; readonly id: string | undefined; readonly parameters: Parameters };

export function eventOf(message: Message): Event | undefined | Malformed {
  const fields = wordWithParameters(headerOf(message, "Event"));
  if (fields === undefined || isMalformed(fields)) return fields;
  return { package: fields.word, id: parameterOf(fields.parameters, "id"), parameters: fields.parameters };
}

export function event({ package: word, id }: { package: string; id?: string | undefined }): Header {
  return { name: "Event", value: id === undefined ? word : `${word};id=${id}` };
}

export function subscriptionState(
  watch: { state: "active" | "pending"; expiresSeconds: number } | { state: "terminated"; reason: string },
): Header {
  const rest = watch.state === "terminated" ? `reason=${watch.reason}` : `expires=${watch.expiresSeconds}`;
  return { name: "Subscription-State", value: `${watch.state};${rest}` };
}

/** `word;name=value`: the form of many short headers. */
export function wordWithParameters(
  text: string | undefined,
): { word: string; parameters: Parameters } | undefined | Malformed {
  if (text === undefined) return undefined;
  const semicolon = text.indexOf(";");
  const word = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
  if (!consistsOf(word, TOKEN)) return { malformed: "no word before the parameters" };
  const parameters = parseParameters(text, semicolon < 0 ? text.length : semicolon);
  return isMalformed(parameters) ? parameters : { word, parameters };
}
