// Answers to an INVITE that nobody waits for any more: of a second fork, or of a phone whose answer crossed our CANCEL.

import type { Hear, Outgoing } from "../../sip/client.ts";
import { type Dialog, dialogAsCaller, nextHopOf, requestInDialog } from "../../sip/dialog.ts";
import { flat } from "../../sip/message/flat.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Request } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { DialogParts } from "./dialog-side.ts";

type Parts = Pick<DialogParts, "stack" | "locate" | "mistake">;

/** For when the leg is over: it is free of the leg, which is gone long before its INVITE's transaction. */
export function hangsUpLate(
  parts: Parts,
  asked: { outgoing: Outgoing; invite: Request; flow: Destination | undefined },
): Hear {
  const { outgoing, flow } = asked;
  const invite = essentialsOf(asked.invite);
  return (outcome) => {
    if (outcome.is !== "success") return;
    const dialog = dialogAsCaller(invite, outcome.response, flow);
    if (isMalformed(dialog)) return;
    const done = acknowledge(parts, outgoing, dialog).then(() => hangUp(parts, dialog));
    done.catch((error: unknown) => parts.mistake(error));
  };
}

export async function acknowledge(parts: Parts, outgoing: Outgoing, dialog: Dialog): Promise<void> {
  const { request } = requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq });
  const [hop] = await hopsOf(parts, dialog);
  if (hop) outgoing.sendAck(request, hop);
}

export async function hangUp(parts: Parts, dialog: Dialog): Promise<void> {
  const { request } = requestInDialog(dialog, "BYE");
  const hops = await hopsOf(parts, dialog);
  if (hops.length > 0) void parts.stack.ask(request, hops);
}

async function hopsOf({ locate }: Parts, dialog: Dialog): Promise<Destination[]> {
  const hop = nextHopOf(dialog);
  return typeof hop === "string" ? locate(hop) : [hop];
}

const ESSENTIAL = new Set(["From", "Call-ID", "CSeq"]);

/** What a dialog is made of. */
function essentialsOf({ method, uri, headers }: Request): Request {
  const kept = headers.filter(({ name }) => ESSENTIAL.has(name));
  const whole = kept.map(({ name, value }) => ({ name, value: flat(value) }));
  return { is: "request", method, uri: flat(uri), headers: whole, body: "" };
}
