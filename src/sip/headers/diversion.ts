// Who sent a call on before it came here: Diversion (RFC 5806) and History-Info (RFC 7044), read as one and printed as either.

import { isMalformed } from "../message/malformed.ts";
import type { Header, Message } from "../message/message.ts";
import { parameterOf } from "../message/parameters.ts";
import { parseSipUri, printUri } from "../message/uri.ts";
import { addressesIn } from "./addresses.ts";
import { type NameAddress, printNameAddress } from "./name-address.ts";

/** Why, and the status by which History-Info says so (RFC 4458). */
const STATUSES = {
  unconditional: 302,
  "user-busy": 486,
  "no-answer": 408,
  unavailable: 503,
  "do-not-disturb": 486,
  deflection: 480,
  unknown: 404,
} as const;

export type DiversionReason = keyof typeof STATUSES;

export const diversionReasons = Object.keys(STATUSES) as DiversionReason[];

/** `uri` has sent it on; `hidden`: those who are called may not know. */
export type Diversion = { uri: string; display: string; reason: DiversionReason; hidden: boolean };

/** Nobody sends a call on more often than this, and means it. */
const MOST = 10;

/** The last first, as Diversion has them. What cannot be read says nothing. */
export function diversionsOf(message: Message): Diversion[] {
  const said = addressesIn(message, "Diversion");
  const told = isMalformed(said) || said.length === 0 ? historyIn(message) : said.map(diversionIn);
  return told.slice(0, MOST);
}

function diversionIn({ uri, display, parameters }: NameAddress): Diversion {
  const reason = parameterOf(parameters, "reason")?.toLowerCase() ?? "";
  const privacy = parameterOf(parameters, "privacy")?.toLowerCase() ?? "off";
  return { uri, display, reason: isReason(reason) ? reason : "unknown", hidden: privacy !== "off" };
}

const isReason = (text: string): text is DiversionReason => Object.hasOwn(STATUSES, text);

/** The last entry is whom the call is for now; each one before it has sent it on. */
function historyIn(message: Message): Diversion[] {
  const entries = addressesIn(message, "History-Info");
  if (isMalformed(entries)) return [];
  return entries
    .slice(0, -1)
    .flatMap((entry, at) => {
      const uri = parseSipUri(entry.uri);
      const next = parseSipUri(entries[at + 1]?.uri ?? "");
      if (isMalformed(uri) || (!isMalformed(next) && uri.user === next.user)) return [];
      const named = (name: string) => uri.headers.find((it) => it.name.toLowerCase() === name)?.value ?? "";
      const cause = /cause=(\d{3})/.exec(named("reason"))?.[1] ?? causeIn(next);
      const hidden = named("privacy").toLowerCase().includes("history");
      return [{ uri: printUri({ ...uri, headers: [] }), display: entry.display, reason: reasonOf(cause), hidden }];
    })
    .reverse();
}

function causeIn(uri: ReturnType<typeof parseSipUri>): string | undefined {
  return isMalformed(uri) ? undefined : parameterOf(uri.parameters, "cause");
}

function reasonOf(cause: string | undefined): DiversionReason {
  return diversionReasons.find((reason) => String(STATUSES[reason]) === cause) ?? "unknown";
}

/** One header each, the last first. */
export function printDiversions(diversions: readonly Diversion[]): Header[] {
  return diversions.map(({ uri, display, reason, hidden }) => {
    const parameters = [
      { name: "reason", value: reason },
      { name: "counter", value: "1" },
      { name: "privacy", value: hidden ? "full" : "off" },
    ];
    return { name: "Diversion", value: printNameAddress({ display, uri, parameters }) };
  });
}

/** From whom it was first for to whom it is for now, in one header. */
export function printHistory(diversions: readonly Diversion[], target: string): Header[] {
  if (diversions.length === 0) return [];
  const inOrder = diversions.toReversed();
  const entries = inOrder.map(({ uri, display, reason, hidden }, at) =>
    printNameAddress({
      display,
      uri: withHeaders(uri, [
        { name: "Reason", value: `SIP;cause=${STATUSES[reason]}` },
        ...(hidden ? [{ name: "Privacy", value: "history" }] : []),
      ]),
      parameters: placeOf(at),
    }),
  );
  entries.push(printNameAddress({ display: "", uri: target, parameters: placeOf(inOrder.length) }));
  return [{ name: "History-Info", value: entries.join(", ") }];
}

const index = (at: number) => Array.from({ length: at + 1 }, () => "1").join(".");

function placeOf(at: number) {
  const own = { name: "index", value: index(at) };
  return at === 0 ? [own] : [own, { name: "mp", value: index(at - 1) }];
}

function withHeaders(text: string, headers: { name: string; value: string }[]): string {
  const uri = parseSipUri(text);
  return isMalformed(uri) ? text : printUri({ ...uri, headers });
}
