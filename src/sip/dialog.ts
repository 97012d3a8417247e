// A dialog as plain data (RFC 3261 §12): what both ends must remember to go on talking, and how each step changes it.

import { callIdOf, contactsOf, fromOf, recordRoutesOf, toOf } from "./headers/addresses.ts";
import { cseqOf, MAX_SEQUENCE } from "./headers/cseq.ts";
import { printNameAddress, tagOf } from "./headers/name-address.ts";
import { receivedOf, topViaOf } from "./headers/via.ts";
import { isMalformed, type Malformed } from "./message/malformed.ts";
import { type Header, headerOf, type Message, type Octets, type Request, type Response } from "./message/message.ts";
import { hasParameter } from "./message/parameters.ts";
import { parseSipUri, printUri } from "./message/uri.ts";
import { addressIn, backTo, literalDestination } from "./transport/destination.ts";
import type { Destination, Source } from "./transport/transport.ts";

export type Dialog = {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To as our requests carry them, tags included. */
  readonly local: string;
  readonly remote: string;
  readonly localCSeq: number;
  /** Unknown until the other side has sent a request. */
  readonly remoteCSeq: number | undefined;
  /** The Contact of the other side. */
  readonly remoteTarget: string;
  /** In the order of our Route headers. */
  readonly routeSet: readonly string[];
  readonly secure: boolean;
  readonly state: "early" | "confirmed";
  /** The way to the other side when its addresses cannot be trusted to lead there: a stream, or a hole in a NAT. */
  readonly flow: Destination | undefined;
  /** Where its first request went, when that had to prove its name: whoever stands there or speaks for it is believed alike. */
  readonly proved?: Destination | undefined;
};

/** The side that sent the request, out of any response above 100 that has a tag; forks make a dialog each. */
export function dialogAsCaller(request: Request, response: Response, flow?: Destination): Dialog | Malformed {
  const routes = recordRoutesOf(response);
  if (isMalformed(routes)) return routes;
  const target = targetIn(response);
  if (isMalformed(target)) return target;
  return {
    callId: callIdOf(request),
    localTag: tagOf(fromOf(request)) ?? "",
    remoteTag: tagOf(toOf(response)) ?? "",
    local: headerOf(request, "From")!, // `fromOf` and `toOf` have just read them.
    remote: headerOf(response, "To")!,
    localCSeq: cseqOf(request).number,
    remoteCSeq: undefined,
    remoteTarget: target ?? request.uri,
    routeSet: routes.map(printNameAddress).reverse(),
    secure: request.uri.startsWith("sips:"),
    state: response.status < 200 ? "early" : "confirmed",
    flow,
  };
}

/** The side that got the request and answers it with this tag. */
export function dialogAsCallee(request: Request, localTag: string, source: Source): Dialog | Malformed {
  const routes = recordRoutesOf(request);
  if (isMalformed(routes)) return routes;
  // A caller older than RFC 3261 may have no Contact: its name is then all that is known of where it is.
  const target = targetIn(request) ?? fromOf(request).uri;
  if (isMalformed(target)) return target;
  return {
    callId: callIdOf(request),
    localTag,
    remoteTag: tagOf(fromOf(request)) ?? "",
    local: `${headerOf(request, "To")};tag=${localTag}`,
    remote: headerOf(request, "From")!, // `fromOf` has just read it.
    localCSeq: 0,
    remoteCSeq: cseqOf(request).number,
    remoteTarget: target,
    routeSet: routes.map(printNameAddress),
    secure: request.uri.startsWith("sips:"),
    state: "early",
    flow: flowOf(request, source, { target, isProxied: routes.length > 0 }),
  };
}

/** The callee has answered. */
export const confirmed = (dialog: Dialog): Dialog => ({ ...dialog, state: "confirmed" });

/** What the answer to a re-INVITE or UPDATE of ours says of where the other side now is (RFC 3261 §12.2.1.2). */
export function movedBy(response: Response, dialog: Dialog): Dialog {
  const target = refreshes(response) ? targetIn(response) : undefined;
  return target === undefined || isMalformed(target) ? dialog : { ...dialog, remoteTarget: target };
}

/** The other side is somewhere else than before, and has proved it: from now on it is spoken to there. */
export function movedWith(dialog: Dialog, request: Request, source: Source): Dialog {
  const target = targetIn(request);
  const known = target === undefined || isMalformed(target) ? dialog.remoteTarget : target;
  return { ...dialog, flow: flowOf(request, source, { target: known, isProxied: dialog.routeSet.length > 0 }) };
}

/** It stands there now, by no proof that what it says of itself could be believed for. */
export function standingAt(dialog: Dialog, source: Source): Dialog {
  return source.client ? dialog : { ...dialog, flow: backTo(source) };
}

/** Inside the dialog, whoever of the two asks. */
export type InDialog =
  | { accepted: Dialog }
  /** RFC 3261 §12.2.2: older than what we have already seen. */
  | { refused: 500 }
  | { refused: 400; why: string };

/** `onlyAt`: who asks has not proved himself, and is taken to be there, whatever his Contact says. */
export function acceptInDialog(dialog: Dialog, request: Request, onlyAt?: Place): InDialog {
  if (request.method === "ACK" || request.method === "CANCEL") return { accepted: dialog };
  const { number } = cseqOf(request);
  if (dialog.remoteCSeq !== undefined && number < dialog.remoteCSeq) return { refused: 500 };
  const target = refreshes(request) ? targetIn(request) : undefined;
  if (isMalformed(target)) return { refused: 400, why: target.malformed };
  const isTaken = target !== undefined && (!onlyAt || leadsTo(target, onlyAt));
  return { accepted: { ...dialog, remoteCSeq: number, remoteTarget: isTaken ? target : dialog.remoteTarget } };
}

export type Place = { address: string; port: number };

export type RequestOptions = {
  /** Contact, Content-Type and whatever else the method needs. */
  headers?: readonly Header[];
  body?: Octets;
  /** An ACK carries the number of its INVITE; every other request a new one. */
  cseq?: number;
};

/** The one place where a request inside a dialog is made; the dialog that comes back has counted it. */
export function requestInDialog(
  dialog: Dialog,
  method: string,
  { headers = [], body = "", cseq }: RequestOptions = {},
): { request: Request; dialog: Dialog } {
  const number = cseq ?? nextNumber(dialog.localCSeq);
  const { uri, routes } = routed(dialog);
  const request: Request = {
    is: "request",
    method,
    uri,
    headers: [
      ...routes.map((value) => ({ name: "Route", value })),
      { name: "From", value: dialog.local },
      { name: "To", value: dialog.remote },
      { name: "Call-ID", value: dialog.callId },
      { name: "CSeq", value: `${number} ${method}` },
      ...headers,
    ],
    body,
  };
  return { request, dialog: cseq === undefined ? { ...dialog, localCSeq: number } : dialog };
}

/** Where the dialog's requests go: a destination, or the URI of a host whose name must be resolved first. */
export function nextHopOf(dialog: Dialog): Destination | string {
  if (dialog.flow) return dialog.flow;
  const [first] = dialog.routeSet;
  const hop = first === undefined ? dialog.remoteTarget : first.slice(first.indexOf("<") + 1, first.indexOf(">"));
  const uri = parseSipUri(hop);
  return isMalformed(uri) ? hop : (literalDestination(uri) ?? hop);
}

/** A place of the other side's by TLS, known by no more than its address: it has to prove what the first one did. */
export function asProved(found: Destination, { proved }: Pick<Dialog, "proved">): Destination {
  if (!proved || found.transport !== "tls") return found;
  const serverName = found.address === proved.address ? proved.serverName : found.serverName;
  const { trust } = proved;
  return { ...found, ...(trust && { trust }), ...(serverName !== undefined && { serverName }) };
}

/**
 * A stream is always the way back, and the Contact where to look for its owner once it has closed. A datagram's source
 * is when the sender's own idea of its address was wrong, for then its Contact is wrong too; unless proxies recorded
 * themselves, for then the next one is reached by name.
 */
function flowOf(
  request: Request,
  source: Source,
  known: { target: string; isProxied: boolean },
): Destination | undefined {
  const { target, isProxied } = known;
  // An edge is reached by what it recorded, whichever of its connections brought the request.
  if (source.client && isProxied) return undefined;
  if (source.connection !== undefined) {
    const uri = parseSipUri(target);
    const contact = isMalformed(uri) ? undefined : literalDestination(uri);
    return { ...backTo(source), ...(contact?.transport === source.transport && !isProxied && contact) };
  }
  const via = topViaOf(request);
  const isBehindNat = addressIn(via.host) !== undefined && addressIn(via.host) !== (receivedOf(via) ?? source.address);
  return isBehindNat && !isProxied ? backTo(source) : undefined;
}

/** A strict router, older than RFC 3261, is known by the missing `lr`: it wants to be the Request-URI (§12.2.1.1). */
function routed({ remoteTarget, routeSet }: Dialog): { uri: string; routes: readonly string[] } {
  const [first, ...rest] = routeSet;
  if (first === undefined) return { uri: remoteTarget, routes: [] };
  const router = parseSipUri(first.slice(first.indexOf("<") + 1, first.indexOf(">")));
  if (isMalformed(router) || hasParameter(router.parameters, "lr")) return { uri: remoteTarget, routes: routeSet };
  // A Request-URI may hold neither a method nor headers (§19.1.1).
  const parameters = router.parameters.filter(({ name }) => name !== "method");
  const uri = printUri({ ...router, parameters, headers: [] });
  return { uri, routes: [...rest, `<${remoteTarget}>`] };
}

const REFRESHING = new Set(["INVITE", "UPDATE", "SUBSCRIBE", "NOTIFY", "REFER"]);

function refreshes(message: Message): boolean {
  if (message.is === "response" && message.status >= 300) return false;
  return REFRESHING.has(cseqOf(message).method);
}

function leadsTo(target: string, { address, port }: Place): boolean {
  const uri = parseSipUri(target);
  const found = isMalformed(uri) ? undefined : literalDestination(uri);
  return found?.address === address && found.port === port;
}

function targetIn(message: Message): string | undefined | Malformed {
  const contacts = contactsOf(message);
  if (contacts === "*") return { malformed: "Contact: *" };
  if (isMalformed(contacts)) return contacts;
  return contacts[0]?.uri;
}

// A dialog that has counted to the end starts over rather than say a number nobody may say.
const nextNumber = (number: number) => (number >= MAX_SEQUENCE ? 1 : number + 1);
