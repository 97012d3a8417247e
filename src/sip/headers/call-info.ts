// Call-Info and Alert-Info: how a phone should ring, and the two dialects that ask it to answer by itself.

import { wholeNumber } from "../alphabet.ts";
import { isMalformed } from "../malformed.ts";
import type { Header, Message } from "../message.ts";
import { type NameAddress, parseNameAddress } from "./name-address.ts";
import { parameterOf, splitList } from "./parameters.ts";

/** Hints: those that cannot be read are passed over. */
export const callInfosOf = (message: Message): NameAddress[] => hintsIn(message, "Call-Info");
export const alertInfosOf = (message: Message): NameAddress[] => hintsIn(message, "Alert-Info");

/** Seconds after which the called phone should answer by itself; undefined when nobody asked. */
export function answerAfterOf(message: Message): number | undefined {
  for (const { parameters } of callInfosOf(message)) {
    const seconds = wholeNumber(parameterOf(parameters, "answer-after") ?? "", 3600);
    if (seconds !== undefined) return seconds;
  }
  const asked = alertInfosOf(message).some(({ parameters }) => isAutoAnswer(parameterOf(parameters, "info")));
  return asked ? 0 : undefined;
}

/** Said in both dialects, since each make of phone knows one. */
export function answerAfter(domain: string, seconds: number): Header[] {
  return [
    { name: "Call-Info", value: `<sip:${domain}>;answer-after=${seconds}` },
    { name: "Alert-Info", value: `<http://${domain}>;info=alert-autoanswer;delay=${seconds}` },
  ];
}

export const alertInfo = (uri: string, word?: string): Header => ({
  name: "Alert-Info",
  value: word === undefined ? `<${uri}>` : `<${uri}>;info=${word}`,
});

function isAutoAnswer(word: string | undefined): boolean {
  const spoken = word?.toLowerCase();
  return spoken === "alert-autoanswer" || spoken === "intercom" || spoken === "auto answer";
}

function hintsIn(message: Message, header: string): NameAddress[] {
  const hints: NameAddress[] = [];
  for (const { name, value } of message.headers) {
    if (name !== header) continue;
    for (const member of splitList(value)) {
      const hint = parseNameAddress(member);
      if (!isMalformed(hint)) hints.push(hint);
    }
  }
  return hints;
}
