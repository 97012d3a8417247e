// When two addresses mean the same (RFC 3261 19.1.4, RFC 3966 section 4).

import { isMalformed } from "./malformed.ts";
import type { Parameters } from "./parameters.ts";
import { parseUri, type SipUri, type TelUri, type Uri } from "./uri.ts";

/** These make two addresses differ even when only one of them carries the parameter. */
const DECISIVE = ["user", "ttl", "method", "maddr", "transport"];

/** Text that is no address equals only itself. */
export function sameUriText(one: string, other: string): boolean {
  if (one === other) return true;
  const parsedOne = parseUri(one);
  const parsedOther = parseUri(other);
  return !isMalformed(parsedOne) && !isMalformed(parsedOther) && sameUri(parsedOne, parsedOther);
}

function sameUri(one: Uri, other: Uri): boolean {
  if (one.scheme === "other" || other.scheme === "other")
    return one.scheme === "other" && other.scheme === "other" && one.text === other.text;
  if (one.scheme === "tel" || other.scheme === "tel")
    return one.scheme === "tel" && other.scheme === "tel" && sameNumber(one, other);
  return sameSip(one, other);
}

function sameSip(one: SipUri, other: SipUri): boolean {
  return (
    one.scheme === other.scheme &&
    one.user === other.user &&
    one.password === other.password &&
    one.host === other.host &&
    one.port === other.port &&
    sameShared(one.parameters, other.parameters) &&
    DECISIVE.every((name) => spokenValue(one.parameters, name) === spokenValue(other.parameters, name)) &&
    sameHeaders(one.headers, other.headers)
  );
}

function sameNumber(one: TelUri, other: TelUri): boolean {
  return (
    one.number.toLowerCase() === other.number.toLowerCase() &&
    one.parameters.length === other.parameters.length &&
    one.parameters.every(({ name }) => spokenValue(one.parameters, name) === spokenValue(other.parameters, name))
  );
}

/** Parameters that both carry must agree; one that only one of them carries is ignored. */
function sameShared(one: Parameters, other: Parameters): boolean {
  return one.every(({ name }) => {
    const theirs = spokenValue(other, name);
    return theirs === undefined || theirs === spokenValue(one, name);
  });
}

function sameHeaders(one: Parameters, other: Parameters): boolean {
  const sorted = (headers: Parameters) =>
    headers.map(({ name, value }) => `${name.toLowerCase()}=${value ?? ""}`).sort((a, b) => (a < b ? -1 : 1));
  return one.length === other.length && sorted(one).join("&") === sorted(other).join("&");
}

function spokenValue(parameters: Parameters, name: string): string | undefined {
  for (const parameter of parameters) if (parameter.name === name) return (parameter.value ?? "").toLowerCase();
  return undefined;
}
