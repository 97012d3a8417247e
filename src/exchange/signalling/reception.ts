// The reception: every request outside a dialog comes here first, is looked at, and goes to whoever takes its kind.

import { tokenList } from "../../sip/headers/token-lists.ts";
import type { Incoming } from "../../sip/incoming.ts";
import type { Header } from "../../sip/message/message.ts";
import { SESSION_TYPES } from "../../sip/reading/multipart.ts";
import { refusalOf, type Supported } from "../../sip/reading/validate.ts";

const SUPPORTED: Supported = {
  methods: [
    ...["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "REGISTER", "SUBSCRIBE", "NOTIFY", "REFER", "INFO", "PRACK"],
    ...["UPDATE", "MESSAGE", "PUBLISH"],
  ],
  options: ["path", "outbound", "100rel", "timer", "replaces", "norefersub"],
  contentTypes: [
    ...SESSION_TYPES,
    ...["application/dtmf-relay", "application/dtmf", "message/sipfrag", "application/media_control+xml"],
  ],
};

/** What these bring is nothing else. */
const CONTENT: Partial<Record<string, string[]>> = { MESSAGE: ["text/plain"], PUBLISH: ["application/pidf+xml"] };

/** Methods that may begin something; the rest belongs into a dialog. */
export type Opening = "REGISTER" | "INVITE" | "SUBSCRIBE" | "REFER" | "NOTIFY" | "MESSAGE" | "PUBLISH";

export type Receivers = Partial<Record<Opening, (incoming: Incoming) => void>>;

export function openReception(receivers: Receivers): (incoming: Incoming) => void {
  return (incoming) => {
    const { request } = incoming;
    const contentTypes = CONTENT[request.method] ?? SUPPORTED.contentTypes;
    const refusal = refusalOf(request, { ...SUPPORTED, contentTypes });
    const receive = receivers[request.method as Opening];
    if (refusal) incoming.reply(refusal.status, { headers: refusal.headers });
    else if (request.method === "OPTIONS") incoming.reply(200, { headers: abilities() });
    else if (receive) receive(incoming);
    // Known, but not as a beginning: BYE, INFO and their like without the dialog they speak of.
    else incoming.reply(request.method in OUTSIDE ? 405 : 481, { headers: [tokenList("Allow", SUPPORTED.methods)] });
  };
}

const OUTSIDE: Record<Opening, true> = {
  REGISTER: true,
  INVITE: true,
  SUBSCRIBE: true,
  REFER: true,
  NOTIFY: true,
  MESSAGE: true,
  PUBLISH: true,
};

/** The same whoever asks and whomever they ask for: an OPTIONS must not tell which extensions exist. */
function abilities(): Header[] {
  return [
    tokenList("Allow", SUPPORTED.methods),
    tokenList("Accept", ["application/sdp"]),
    tokenList("Supported", SUPPORTED.options),
    tokenList("Allow-Events", ["message-summary", "dialog", "presence", "refer"]),
  ];
}
