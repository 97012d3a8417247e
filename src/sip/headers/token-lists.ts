// The headers that are lists of words: methods and option tags.

import { consistsOf, TOKEN } from "../message/alphabet.ts";
import type { Malformed } from "../message/malformed.ts";
import type { Header, Message } from "../message/message.ts";
import { splitList } from "../message/parameters.ts";

/** As written and in order; an empty list when the header is absent or empty. */
export const allowOf = (message: Message) => tokensIn(message, "Allow");
const supportedOf = (message: Message) => tokensIn(message, "Supported");
export const requireOf = (message: Message) => tokensIn(message, "Require");
export const contentEncodingsOf = (message: Message) => tokensIn(message, "Content-Encoding");

/** Whether the peer said it knows the extension, in Supported or by requiring it. */
export function knowsOption(message: Message, option: string): boolean {
  return supportedOf(message).some(isSame(option)) || requiresOption(message, option);
}

/** Whether the peer said that it takes NOTIFYs of this kind. */
export function knowsEvent(message: Message, event: string): boolean {
  return tokensIn(message, "Allow-Events").some(isSame(event));
}

export function requiresOption(message: Message, option: string): boolean {
  return requireOf(message).some(isSame(option));
}

export const tokenList = (name: string, tokens: readonly string[]): Header => ({ name, value: tokens.join(", ") });

const isSame = (option: string) => (token: string) => token === option || token.toLowerCase() === option;

function tokensIn(message: Message, header: string): string[] {
  const tokens: string[] = [];
  for (const { name, value } of message.headers)
    if (name === header) for (const token of splitList(value)) if (token !== "") tokens.push(token);
  return tokens;
}

/** Empty members are forgiven, words that are none are not. */
export function faultInTokens(tokens: readonly string[]): Malformed | undefined {
  return tokens.every((token) => consistsOf(token, TOKEN)) ? undefined : { malformed: "word in a list" };
}
