// What a REGISTER does to an extension's bindings: the rules of RFC 3261 10.3, RFC 3327 and RFC 5626 as one function.

import { later, type Ticks } from "../../../clock.ts";
import { callIdOf, contactsOf, pathOf } from "../../../sip/headers/addresses.ts";
import { cseqOf } from "../../../sip/headers/cseq.ts";
import { type NameAddress, preferenceOf } from "../../../sip/headers/name-address.ts";
import { knowsEvent } from "../../../sip/headers/token-lists.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { headerOf, type Request } from "../../../sip/message/message.ts";
import { parameterOf } from "../../../sip/message/parameters.ts";
import { parseSipUri, type SipUri } from "../../../sip/message/uri.ts";
import { sameUriText } from "../../../sip/message/uri-equality.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { type Binding, destinationOf, isBrowser } from "./binding.ts";

export type Limits = { minSeconds: number; maxSeconds: number; defaultSeconds: number; contacts: number };

export const REGISTRATION_LIMITS: Limits = { minSeconds: 60, maxSeconds: 7_200, defaultSeconds: 3_600, contacts: 10 };

export type Update =
  | { is: "query" }
  | {
      is: "update";
      /** The extension's bindings from now on, the oldest first. */
      bindings: Binding[];
      /** New, or other than in their time of expiry: to be written before the phone is told. */
      saved: Binding[];
      /** Only prolonged: may be written a little later. */
      prolonged: Binding[];
      removed: Binding[];
      /** A flow of RFC 5626 was asked for and is kept. */
      outbound: boolean;
    }
  | { is: "refused"; status: 400 | 416 | 423 | 500; reason?: string };

export type Asked = {
  request: Request;
  source: Source;
  exchangeId: number;
  extensionId: number;
  bindings: readonly Binding[];
  /** A phone that cannot be called back has its connection still. */
  isReachable(binding: Binding): boolean;
  now: Ticks;
  /** The same moment as a stamp. */
  nowMs: number;
};

/** Longest text of a phone's own that is kept of it. */
const LONGEST_CONTACT = 512;
const LONGEST_USER_AGENT = 120;
const LONGEST_CALL_ID = 256;

export function updateBindings(asked: Asked, limits: Limits = REGISTRATION_LIMITS): Update {
  const contacts = contactsOf(asked.request);
  if (contacts === "*") return removeAll(asked);
  if (isMalformed(contacts)) return { is: "refused", status: 400, reason: "Malformed Contact" };
  if (contacts.length === 0) return { is: "query" };
  if (contacts.length > limits.contacts) return { is: "refused", status: 400, reason: "Too Many Contacts" };
  const changes: Wanted[] = [];
  for (const contact of contacts) {
    const wanted = wantedOf(asked, contact, limits);
    if ("is" in wanted) return wanted;
    changes.push(wanted);
  }
  return applyAll(asked, changes, limits);
}

type Wanted = { key: string; contact: NameAddress; uri: SipUri; seconds: number; old: Binding | undefined };
type Refused = Extract<Update, { is: "refused" }>;

function removeAll({ request, bindings }: Asked): Update {
  if (headerOf(request, "Expires")?.trim() !== "0") return { is: "refused", status: 400, reason: "Expires Must Be 0" };
  if (bindings.some((binding) => isOutOfOrder(binding, request))) return { is: "refused", status: 500 };
  return { is: "update", bindings: [], saved: [], prolonged: [], removed: [...bindings], outbound: false };
}

function wantedOf({ request, bindings }: Asked, contact: NameAddress, limits: Limits): Wanted | Refused {
  const uri = parseSipUri(contact.uri);
  if (isMalformed(uri)) return { is: "refused", status: contact.uri.startsWith("sip") ? 400 : 416 };
  if (contact.uri.length > LONGEST_CONTACT) return { is: "refused", status: 400, reason: "Contact Too Long" };
  const seconds = secondsOf(request, contact, limits);
  if (seconds > 0 && seconds < limits.minSeconds) return { is: "refused", status: 423 };
  const flow = flowOf(contact);
  const old = bindings.find(({ key, uri }) => (flow === undefined ? sameUriText(uri, contact.uri) : key === flow));
  if (old && isOutOfOrder(old, request)) return { is: "refused", status: 500 };
  return { key: flow ?? old?.key ?? contact.uri, contact, uri, seconds: Math.min(seconds, limits.maxSeconds), old };
}

/** What is no number counts as absent (10.3 step 7). */
function secondsOf(request: Request, contact: NameAddress, limits: Limits): number {
  for (const text of [parameterOf(contact.parameters, "expires"), headerOf(request, "Expires")?.trim()])
    if (text !== undefined && /^\d{1,10}$/.test(text)) return Number(text);
  return limits.defaultSeconds;
}

/** The phone and the flow it names by itself (RFC 5626 4.2), which then replace each other whatever their contact. */
function flowOf(contact: NameAddress): string | undefined {
  const instance = parameterOf(contact.parameters, "+sip.instance");
  const flow = parameterOf(contact.parameters, "reg-id");
  if (!instance || !flow || instance.length > 128 || !/^\d{1,10}$/.test(flow)) return undefined;
  return `${instance};${flow}`;
}

// A REGISTER that was overtaken must not undo the later one.
function isOutOfOrder(binding: Binding, request: Request): boolean {
  return binding.callId === keptCallId(request) && cseqOf(request).number <= binding.cseq;
}

function applyAll(asked: Asked, changes: Wanted[], { contacts: most }: Limits): Update {
  const path = pathOf(asked.request);
  if (isMalformed(path)) return { is: "refused", status: 400, reason: "Malformed Path" };
  const route = path.map(({ uri }) => `<${uri}>`);
  const bindings = [...asked.bindings];
  const [saved, prolonged, removed]: [Binding[], Binding[], Binding[]] = [[], [], []];
  for (const wanted of changes) {
    const at = bindings.findIndex(({ key }) => key === wanted.key);
    if (at >= 0) bindings.splice(at, 1);
    if (wanted.seconds === 0) {
      if (wanted.old) removed.push(wanted.old);
      continue;
    }
    const binding = bindingOf(asked, wanted, route);
    bindings.push(binding);
    (wanted.old && isOnlyProlonged(wanted.old, binding) ? prolonged : saved).push(binding);
  }
  for (const surplus of surplusOf(asked, bindings, most)) {
    bindings.splice(bindings.indexOf(surplus), 1);
    removed.push(surplus);
  }
  return {
    is: "update",
    bindings,
    saved,
    prolonged,
    removed,
    outbound: changes.some(({ contact }) => !!flowOf(contact)),
  };
}

/**
 * Who makes room, since a phone that forgot its old contacts would lock its owner out: pages that were closed, then
 * browsers, which are opened by the dozen and refresh often, then others; among them the one refreshed longest ago.
 */
function surplusOf({ bindings: old, isReachable }: Asked, bindings: readonly Binding[], most: number): Binding[] {
  if (bindings.length <= most) return [];
  const rank = (binding: Binding) => (isReachable(binding) ? (isBrowser(binding) ? 1 : 2) : 0);
  const others = bindings.filter((binding) => old.includes(binding));
  return others.toSorted((one, other) => rank(one) - rank(other)).slice(0, bindings.length - most);
}

function bindingOf(asked: Asked, { key, contact, uri, seconds, old }: Wanted, route: string[]): Binding {
  const { request, source, exchangeId, extensionId, now, nowMs } = asked;
  return {
    exchangeId,
    extensionId,
    key,
    uri: contact.uri,
    route,
    destination: destinationOf(uri, source, route),
    preference: preferenceOf(contact),
    userAgent: plain(headerOf(request, "User-Agent") ?? "").slice(0, LONGEST_USER_AGENT),
    takesTalk: knowsEvent(request, "talk"),
    source,
    callId: keptCallId(request),
    cseq: cseqOf(request).number,
    registeredAtMs: old?.registeredAtMs ?? nowMs,
    expires: later(now, seconds * 1_000),
  };
}

const keptCallId = (request: Request) => plain(callIdOf(request)).slice(0, LONGEST_CALL_ID);

/** The database takes no NUL, and nobody wants to read the other control characters either. */
const plain = (text: string) => (CONTROL.test(text) ? text.replaceAll(CONTROLS, "") : text);
const CONTROL = /[\x00-\x1f\x7f]/;
const CONTROLS = /[\x00-\x1f\x7f]/g;

function isOnlyProlonged(old: Binding, binding: Binding): boolean {
  return (
    old.uri === binding.uri &&
    old.callId === binding.callId &&
    isSameSource(old.source, binding.source) &&
    old.preference === binding.preference &&
    old.userAgent === binding.userAgent &&
    old.takesTalk === binding.takesTalk &&
    old.route.join() === binding.route.join()
  );
}

function isSameSource(one: Source, other: Source): boolean {
  return (
    one.transport === other.transport &&
    one.address === other.address &&
    one.port === other.port &&
    one.client?.address === other.client?.address &&
    one.client?.port === other.client?.port
  );
}
