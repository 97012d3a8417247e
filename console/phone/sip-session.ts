// What is particular about JsSIP: how it is set up, which dialog a session is, how it wants to be answered, and why it ended.

import { UA, WebSocketInterface } from "jssip";
import type { RTCSession } from "jssip/lib/RTCSession";
import type { IncomingRequest } from "jssip/lib/SIPMessage";
import type { AgentTold } from "../../src/exchange/signalling/presence/packages.ts";
import type { WebphoneSession } from "../../src/http/webphone/shown.ts";
import type { DialogName } from "./keep.ts";
import type { Line } from "./lines.ts";
import type { Link } from "./state.ts";
import type { Words } from "./texts.ts";

/** Not yet started. A short registration is soon forgotten by the exchange when the page is closed. */
export function openUa({ extension, domain, name, login }: WebphoneSession): UA {
  const way = location.protocol === "https:" ? "wss" : "ws";
  return new UA({
    sockets: [new WebSocketInterface(`${way}://${location.host}/ws?domain=${encodeURIComponent(domain)}`)],
    uri: `sip:${extension}@${domain}`,
    authorization_user: login.user,
    password: login.password,
    display_name: name,
    register_expires: 60,
    session_timers: false,
    connection_recovery_min_interval: 1,
    connection_recovery_max_interval: 4,
    user_agent: "Santral web phone",
  });
}

/** The library keeps its way to the exchange to itself; its version is pinned. */
type Way = { _transport: { connect(): void; disconnect(): void } };

/**
 * A network that went away leaves its sockets open and silent, and the library would believe in them for minutes.
 * What it is asking meanwhile fails as if the way had broken, which it has.
 */
export function connectAnew(ua: UA): void {
  const way = (ua as unknown as Way)._transport;
  way.disconnect();
  way.connect();
}

/** How the exchange closes the socket of a phone that may not be one any more. */
const NOT_ALLOWED = 1_008;

export type UaHears = {
  link(link: Link): void;
  /** Our login is not taken. */
  refused(): void;
  rings(session: RTCSession, request: IncomingRequest): void;
  /** What its owner is as an agent has changed, here or elsewhere. */
  agent(now: AgentTold): void;
};

/** `who`: its own extension, with the domain. */
export function followUa(ua: UA, who: string, hears: UaHears): void {
  // The browser has found a network again: the socket is of the one before.
  window.addEventListener("online", () => ua.isConnected() && connectAnew(ua));
  ua.on("registered", () => {
    hears.link("registered");
    followAgent(ua, who, hears);
  });
  ua.on("disconnected", ({ code }: { code?: number }) => {
    hears.link("lost");
    if (code === NOT_ALLOWED) hears.refused();
  });
  ua.on("unregistered", () => hears.link("connecting"));
  ua.on("registrationFailed", () => {
    hears.link("lost");
    hears.refused();
  });
  ua.on("newRTCSession", (event: { originator: string; session: RTCSession; request: unknown }) => {
    // Those that we begin are followed by whoever began them; those that come have a request that came.
    if (event.originator === "remote") hears.rings(event.session, event.request as IncomingRequest);
  });
}

/** Anew with each registration: what was told to the socket before reaches nobody. */
function followAgent(ua: UA, who: string, { agent }: UaHears): void {
  const news = ua.subscribe(`sip:${who}`, "x-santral-agent", "application/json", { contentType: "" });
  news.on("notify", (_isFinal, _request, body = "") => {
    const told = JSON.parse(body) as Partial<AgentTold>; // by our own exchange
    if (told.status !== undefined) agent(told as AgentTold);
  });
  news.subscribe();
}

/** Keys as packets between the voice (RFC 4733): what the other side hears as keys, whatever the codec. */
export const AS_PACKETS = {
  duration: 120,
  interToneGap: 80,
  transportType: "RFC2833" as never, // an enum that its package does not export as a value
};

/** The library keeps these to itself; its version is pinned. */
type Inside = {
  _dialog?: { id: { call_id: string; local_tag: string; remote_tag: string } };
  receiveRequest(request: IncomingRequest & { reply(status: number): void }): void;
};

const inside = (session: RTCSession) => session as unknown as Inside;

export function dialogOf(session: RTCSession): DialogName | undefined {
  const id = inside(session)._dialog?.id;
  return id && { callId: id.call_id, localTag: id.local_tag, remoteTag: id.remote_tag };
}

/** Takes the place of that call, seen from the exchange: its tag comes first (RFC 3891). */
export function replacing({ callId, localTag, remoteTag }: DialogName): string {
  return `Replaces: ${callId};to-tag=${remoteTag};from-tag=${localTag}`;
}

/** What the library's REFER reads of the session that is to be put through. */
export function putThrough({ callId, localTag, remoteTag }: DialogName): RTCSession {
  const named = { _request: { call_id: callId }, _to_tag: remoteTag, _from_tag: localTag };
  return named as unknown as RTCSession;
}

/** REFER: the exchange connects the other side there, and hangs up here when that went well. */
export function sendOn(
  session: RTCSession,
  { to, replaces, failed }: { to: string; replaces: RTCSession | undefined; failed(): void },
): void {
  session.refer(to, { ...(replaces && { replaces }), eventHandlers: { requestFailed: failed, failed } });
}

/** The exchange asks a ringing phone to pick itself up with an event that the library refuses. */
export function onTalk(session: RTCSession, pickUp: () => void): void {
  const own = inside(session);
  const receive = own.receiveRequest.bind(session);
  own.receiveRequest = (request) => {
    if (request.method !== "NOTIFY" || !/^talk\b/i.test(request.getHeader("Event") ?? "")) return receive(request);
    request.reply(200);
    return pickUp();
  };
}

/** Milliseconds after which the exchange wants this call to be answered by itself. */
export function answersItselfAfter(request: IncomingRequest): number | undefined {
  const [, seconds] = /;\s*answer-after\s*=\s*(\d{1,3})/i.exec(request.getHeader("Call-Info") ?? "") ?? [];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  return /;\s*info\s*=\s*"?alert-autoanswer/i.test(request.getHeader("Alert-Info") ?? "") ? 0 : undefined;
}

/** By the library's causes; what is missing is an ordinary end. */
export const endings: Partial<Record<string, keyof Words>> = {
  Busy: "busy",
  Rejected: "rejected",
  "No Answer": "noAnswer",
  "Request Timeout": "unavailable",
  "Not Found": "notFound",
  "Address Incomplete": "notFound",
  Unavailable: "unavailable",
  "Incompatible SDP": "callFailed",
  "Connection Error": "callFailed",
  "SIP Failure Code": "callFailed",
  "User Denied Media Access": "noPermission",
  "WebRTC Error": "callFailed",
};

/** Worth another try: the way to the exchange broke, not the call. */
export function isBrokenWay(cause: string): boolean {
  return cause === "Connection Error" || cause === "Request Timeout" || cause === "Internal Error";
}

/** What the exchange says of a call beside the caller. */
export function toldOf(request: IncomingRequest): Pick<Line, "queue" | "dialled" | "callUuid"> {
  const header = (name: string) => decoded(request.getHeader(`X-Santral-${name}`) ?? "");
  return { queue: header("Queue"), dialled: header("Dialled"), callUuid: header("Call") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
