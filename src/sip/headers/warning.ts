// Warning: a three-digit code, who says it, and a sentence for people (20.43).

import { endOfQuoted, quote, unquote, wholeNumber } from "../alphabet.ts";
import { type Header, headersOf, type Message } from "../message.ts";
import { splitList } from "./parameters.ts";

export type Warning = { readonly code: number; readonly agent: string; readonly text: string };

/** Those that can be read: a warning only explains. */
export function warningsOf(message: Message): Warning[] {
  return headersOf(message, "Warning")
    .flatMap(splitList)
    .map(parseWarning)
    .filter((warning) => warning !== undefined);
}

export function warning({ code, agent, text }: Warning): Header {
  return { name: "Warning", value: `${code} ${agent} ${quote(text)}` };
}

function parseWarning(text: string): Warning | undefined {
  const code = wholeNumber(text.slice(0, 3), 999);
  const agentEnd = text.indexOf(" ", 4);
  const textStart = text.indexOf('"', agentEnd);
  if (code === undefined || code < 100 || text[3] !== " " || agentEnd < 0 || textStart < 0) return undefined;
  if (endOfQuoted(text, textStart) !== text.length) return undefined;
  return { code, agent: text.slice(4, agentEnd), text: unquote(text.slice(textStart)) };
}
