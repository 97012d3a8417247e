// What our stack prints, read by somebody else's grammar: JsSIP's, which takes nothing that RFC 3261 does not.

import { createRequire } from "node:module";
import { expect } from "vitest";
import { afterEveryTest } from "../ground/when-over.ts";

// A script of the old kind, which only `require` loads whole.
const grammar = createRequire(import.meta.url)("jssip/lib/Grammar.js") as {
  /** -1 when the text does not follow the rule. */
  parse(text: string, rule: string): unknown;
};

/** Which rule of the grammar a header has to follow, by its name in lower case; of others only the name is read. */
const RULES: Record<string, string> = {
  "allow-events": "Allow_Events",
  "call-id": "Call_ID",
  contact: "Contact",
  "content-disposition": "Content_Disposition",
  "content-encoding": "Content_Encoding",
  "content-length": "Content_Length",
  "content-type": "Content_Type",
  cseq: "CSeq",
  event: "Event",
  expires: "Expires",
  from: "From",
  "max-forwards": "Max_Forwards",
  "min-expires": "Min_Expires",
  "proxy-authenticate": "Proxy_Authenticate",
  "proxy-require": "Proxy_Require",
  reason: "Reason",
  "record-route": "Record_Route",
  "refer-to": "Refer_To",
  replaces: "Replaces",
  require: "Require",
  route: "Route",
  "session-expires": "Session_Expires",
  "subscription-state": "Subscription_State",
  supported: "Supported",
  to: "To",
  via: "Via",
  "www-authenticate": "WWW_Authenticate",
};

/** Addresses that the grammar has no rule of their own for. */
for (const name of [
  "diversion",
  "history-info",
  "p-asserted-identity",
  "p-preferred-identity",
  "referred-by",
  "remote-party-id",
])
  RULES[name] = "Name_Addr_Header";

/** What is wrong with a message, if anything is. */
export function faultIn(octets: string): string | undefined {
  const end = octets.indexOf("\r\n\r\n");
  if (end < 0) return octets.trim() === "" ? undefined : `no end of the headers: ${octets}`;
  const [first = "", ...lines] = octets.slice(0, end).split("\r\n");
  if (grammar.parse(first, "Request_Response") === -1) return first;
  return lines.find((line) => !isHeader(line));
}

/** A response says these as the request did, and what follows in a dialog as it began, whatever somebody wrote there. */
const ECHOED = /^(?:Via|From|To|Call-ID|CSeq|Record-Route): /;

/** What is wrong with what we wrote ourselves into a message on a wire where everybody may write. */
export function ownFaultIn(text: string): string | undefined {
  if (text.startsWith("INVITE ") && !/^To: .*;tag=/m.test(text)) return faultIn(text);
  return faultIn(
    text
      .split("\r\n")
      .filter((line) => !ECHOED.test(line))
      .join("\r\n"),
  );
}

/** The same few lines come again and again. */
const known = new Set<string>();
const MOST_KNOWN = 20_000;

function isHeader(line: string): boolean {
  if (known.has(line)) return true;
  const [, name = "", value = ""] = /^([!%'*+\-.\w`~]+): (.*)$/s.exec(line) ?? [];
  const rule = RULES[name.toLowerCase()];
  if (name === "") return false;
  // The grammar has no telephone addresses (RFC 3966), which are as good (RFC 3261 25.1: absoluteURI).
  if (/<tel:\+?[\d*#().-]+[;\w=+.-]*>/.test(value)) return true;
  const members = rule === "Name_Addr_Header" ? value.split(/, (?=[^>]*<)/) : [value];
  if (rule !== undefined && members.some((member) => grammar.parse(member, rule) === -1)) return false;
  if (known.size < MOST_KNOWN) known.add(line);
  return true;
}

const faults: string[] = [];

/** Noted, not thrown: whoever sends must not notice. */
export function readStrictly(octets: string): void {
  const fault = faultIn(octets);
  if (fault !== undefined) faults.push(`${fault}\n${octets}`);
}

afterEveryTest(() => {
  expect(faults.splice(0)).toEqual([]);
});
