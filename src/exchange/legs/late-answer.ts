// Answers to an INVITE that nobody waits for any more: of a second fork, or of a phone whose answer crossed our CANCEL.

import type { Hear, Outgoing } from "../../sip/client.ts";
import type { Credentials } from "../../sip/credentials.ts";
import { type Dialog, dialogAsCaller, requestInDialog } from "../../sip/dialog.ts";
import { flat } from "../../sip/message/flat.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Header, Request } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { DialogParts } from "./dialog-parts.ts";
import { hopsOf } from "./hops.ts";

type Parts = Pick<DialogParts, "stack" | "locate" | "mistake">;

/** For when the leg is over: it is free of the leg, which is gone long before its INVITE's transaction. */
export function hangsUpLate(
  parts: Parts,
  asked: {
    outgoing: Outgoing;
    invite: Request;
    flow: Destination | undefined;
    proved?: Destination | undefined;
    credentials?: Credentials | undefined;
  },
): Hear {
  const { outgoing, flow, proved, credentials } = asked;
  const proof = proofIn(asked.invite);
  const invite = essentialsOf(asked.invite);
  return (outcome) => {
    if (outcome.is !== "success") return;
    const made = dialogAsCaller(invite, outcome.response, flow);
    if (isMalformed(made)) return;
    const dialog = { ...made, proved };
    const done = acknowledge(parts, outgoing, { dialog, proof }).then(() => hangUp(parts, dialog, credentials));
    done.catch((error: unknown) => parts.mistake(error));
  };
}

/** The proof that the INVITE carried goes with its ACK, which nobody can ask for one (RFC 3261 §22.1). */
export function proofIn({ headers }: Request): Header[] {
  const proof = headers.filter(({ name }) => name === "Authorization" || name === "Proxy-Authorization");
  return proof.map(({ name, value }) => ({ name, value: flat(value) }));
}

export async function acknowledge(
  parts: Parts,
  outgoing: Outgoing,
  { dialog, proof }: { dialog: Dialog; proof: Header[] },
): Promise<void> {
  const { request } = requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq, headers: proof });
  const [hop] = await hopsOf(parts, dialog);
  if (hop) outgoing.sendAck(request, hop);
}

export async function hangUp(parts: Parts, answered: Dialog, credentials: Credentials | undefined): Promise<void> {
  const hops = await hopsOf(parts, answered);
  const answers = credentials?.answers();
  let headers: Header[] | undefined = [];
  for (let dialog = answered; headers && hops.length > 0; ) {
    const said = requestInDialog(dialog, "BYE", { headers });
    dialog = said.dialog;
    const outcome = await parts.stack.ask(said.request, hops);
    headers = "response" in outcome ? answers?.to(outcome.response, said.request) : undefined;
  }
}

const ESSENTIAL = new Set(["From", "Call-ID", "CSeq"]);

/** What a dialog is made of. */
function essentialsOf({ method, uri, headers }: Request): Request {
  const kept = headers.filter(({ name }) => ESSENTIAL.has(name));
  const whole = kept.map(({ name, value }) => ({ name, value: flat(value) }));
  return { is: "request", method, uri: flat(uri), headers: whole, body: "" };
}
