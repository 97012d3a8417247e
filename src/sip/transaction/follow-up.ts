// The two requests a client makes out of its own INVITE: ACK for a refusal, and CANCEL.

import { type Header, headerOf, type Request, type Response } from "../message/message.ts";

/** RFC 3261 §17.1.1.3: the refusal's To, everything else as the INVITE said it. */
export function ackForRefusal(invite: Request, refusal: Response): Request {
  return followUp(invite, "ACK", headerOf(refusal, "To") ?? headerOf(invite, "To")!);
}

/** RFC 3261 §9.1. The INVITE's Via goes along unchanged: its branch says what is cancelled. */
export function cancelFor(invite: Request, reason?: string): Request {
  const cancel = followUp(invite, "CANCEL", headerOf(invite, "To")!);
  return reason === undefined ? cancel : { ...cancel, headers: [...cancel.headers, { name: "Reason", value: reason }] };
}

// The `!`s below and above: an INVITE of ours was built with these headers.
function followUp(invite: Request, method: "ACK" | "CANCEL", to: string): Request {
  const headers: Header[] = [
    { name: "Via", value: headerOf(invite, "Via")! },
    { name: "Max-Forwards", value: "70" },
    ...invite.headers.filter((header) => header.name === "Route"),
    { name: "From", value: headerOf(invite, "From")! },
    { name: "To", value: to },
    { name: "Call-ID", value: headerOf(invite, "Call-ID")! },
    { name: "CSeq", value: `${Number.parseInt(headerOf(invite, "CSeq")!, 10)} ${method}` },
  ];
  return { is: "request", method, uri: invite.uri, headers, body: "" };
}
