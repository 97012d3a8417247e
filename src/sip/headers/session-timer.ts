// Session-Expires and Min-SE (RFC 4028): how long a call lives without a sign of life, and who gives it.

import { isMalformed, type Malformed } from "../message/malformed.ts";
import { type Header, headerOf, type Message } from "../message/message.ts";
import { type Parameters, parameterOf, parseParameters } from "../message/parameters.ts";
import { secondsIn } from "./seconds.ts";

export type Refresher = "uac" | "uas";
export type SessionExpires = { readonly seconds: number; readonly refresher: Refresher | undefined };

export function sessionExpiresOf(message: Message): SessionExpires | undefined | Malformed {
  const fields = secondsWithParameters(headerOf(message, "Session-Expires"));
  if (fields === undefined || isMalformed(fields)) return fields;
  const refresher = parameterOf(fields.parameters, "refresher")?.toLowerCase();
  if (refresher !== undefined && refresher !== "uac" && refresher !== "uas") return { malformed: "refresher" };
  return { seconds: fields.seconds, refresher };
}

export function minSeOf(message: Message): number | undefined | Malformed {
  const fields = secondsWithParameters(headerOf(message, "Min-SE"));
  return fields === undefined || isMalformed(fields) ? fields : fields.seconds;
}

export function sessionExpires({ seconds, refresher }: SessionExpires): Header {
  return {
    name: "Session-Expires",
    value: refresher === undefined ? `${seconds}` : `${seconds};refresher=${refresher}`,
  };
}

export const minSe = (seconds: number): Header => ({ name: "Min-SE", value: `${seconds}` });

/** `90;name=value`: the form that Min-SE, Session-Expires and Retry-After share. */
export function secondsWithParameters(
  text: string | undefined,
): { seconds: number; parameters: Parameters } | undefined | Malformed {
  if (text === undefined) return undefined;
  const semicolon = text.indexOf(";");
  const seconds = secondsIn((semicolon < 0 ? text : text.slice(0, semicolon)).trim());
  if (seconds === undefined || isMalformed(seconds)) return { malformed: "seconds" };
  const parameters = parseParameters(text, semicolon < 0 ? text.length : semicolon);
  return isMalformed(parameters) ? parameters : { seconds, parameters };
}
