// Reason (RFC 3326): why a call ended, in the words of SIP or of the telephone network (Q.850).

import { quote, wholeNumber } from "../alphabet.ts";
import { isMalformed } from "../malformed.ts";
import type { Header, Message } from "../message.ts";
import { wordWithParameters } from "./event.ts";
import { parameterOf, splitList } from "./parameters.ts";

export type Reason = {
  /** In upper case: "SIP", "Q.850". */
  readonly protocol: string;
  readonly cause: number | undefined;
  readonly text: string | undefined;
};

/** Those that can be read; a reason only explains, so a malformed one is no reason to refuse anything. */
export function reasonsOf(message: Message): Reason[] {
  const reasons: Reason[] = [];
  for (const { name, value } of message.headers)
    if (name === "Reason") for (const member of splitList(value)) addReason(reasons, member);
  return reasons;
}

function addReason(reasons: Reason[], text: string): void {
  const fields = wordWithParameters(text);
  if (fields === undefined || isMalformed(fields)) return;
  const cause = wholeNumber(parameterOf(fields.parameters, "cause") ?? "", 999);
  reasons.push({ protocol: fields.word.toUpperCase(), cause, text: parameterOf(fields.parameters, "text") });
}

export const causeOf = (message: Message): number | undefined =>
  reasonsOf(message).find(({ protocol }) => protocol === "Q.850")?.cause;

export function reason({ protocol, cause, text }: Reason): Header {
  const parts = [protocol, ...(cause === undefined ? [] : [`cause=${cause}`])];
  if (text !== undefined) parts.push(`text=${quote(text)}`);
  return { name: "Reason", value: parts.join(";") };
}
