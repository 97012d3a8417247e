// The INVITE that begins a call of ours, its offer still to come; and the same once more.

import type { Answers } from "../../sip/credentials.ts";
import { cseqOf } from "../../sip/headers/cseq.ts";
import { newTag } from "../../sip/headers/random.ts";
import { type KeptAsked, requestIn } from "../../sip/kept-invite.ts";
import type { Header, Request } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { proofIn } from "./late-answer.ts";
import { contactAt, type LegParts } from "./leg-parts.ts";
import { ALLOW, SDP_TYPE } from "./own-headers.ts";

type Invited = {
  uri: string;
  from: string;
  to: string;
  headers: readonly Header[];
  destinations: readonly [Destination, ...Destination[]];
};

export function firstInvite(
  { stack, random, product }: LegParts,
  { uri, from, to, headers, destinations }: Invited,
  { callId, session }: { callId: string; session: Header[] },
): Request {
  return {
    is: "request",
    method: "INVITE",
    uri,
    headers: [
      { name: "From", value: `${from};tag=${newTag(random)}` },
      { name: "To", value: to },
      { name: "Call-ID", value: callId },
      { name: "CSeq", value: "1 INVITE" },
      { name: "Contact", value: contactAt(stack, destinations[0]) },
      ALLOW,
      { name: "User-Agent", value: product },
      { name: "Supported", value: "100rel, replaces" },
      ...session,
      ...headers,
      SDP_TYPE,
    ],
    body: "",
  };
}

/** Of an earlier process: as it was before it was sent. */
export function inviteIn({ invite }: Pick<KeptAsked, "invite">): Request {
  const { headers, ...sent } = requestIn(invite);
  const [, ...own] = headers; // our Via is on top
  return { ...sent, headers: own };
}

/** The same once more: it counts on, and proves anew who we are. */
export function inviteAgain(invite: Request, answers: Answers | undefined): Request {
  const { number } = cseqOf(invite);
  const proof = new Set(proofIn(invite).map(({ name }) => name));
  const next = invite.headers
    .filter(({ name }) => !proof.has(name))
    .map((it) => (it.name === "CSeq" ? { name: "CSeq", value: `${number + 1} INVITE` } : it));
  return { ...invite, headers: [...next, ...(answers?.again(invite) ?? [])] };
}
