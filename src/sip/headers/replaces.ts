// Replaces (RFC 3891): the dialog a new call takes the place of, by header or inside a Refer-To address.

import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";
import { hasParameter, parameterOf, parseParameters } from "../message/parameters.ts";

export type Replaces = {
  readonly callId: string;
  readonly toTag: string;
  readonly fromTag: string;
  readonly earlyOnly: boolean;
};

export function replacesOf(message: Message): Replaces | undefined | Malformed {
  const value = headerOf(message, "Replaces");
  if (value === undefined) return undefined;
  const more = message.headers.filter(({ name }) => name === "Replaces").length > 1;
  return more ? { malformed: "more than one Replaces" } : parseReplaces(value);
}

export function parseReplaces(text: string): Replaces | Malformed {
  const semicolon = text.indexOf(";");
  const callId = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
  const parameters = parseParameters(text, semicolon < 0 ? text.length : semicolon);
  if (isMalformed(parameters)) return parameters;
  const toTag = parameterOf(parameters, "to-tag");
  const fromTag = parameterOf(parameters, "from-tag");
  if (callId === "" || toTag === undefined || fromTag === undefined) return { malformed: "Replaces names no dialog" };
  return { callId, toTag, fromTag, earlyOnly: hasParameter(parameters, "early-only") };
}
