// A change of the call that we ask for: acknowledged once it is taken, and asked again where somebody wants to know who we are.

import type { Answers } from "../../sip/credentials.ts";
import { type Dialog, type RequestOptions, requestInDialog } from "../../sip/dialog.ts";
import { cseqOf } from "../../sip/headers/cseq.ts";
import type { Header, Request, Response } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { LegStack } from "./leg-stack.ts";
import { SDP_TYPE } from "./own-headers.ts";

type Asker = {
  stack: Pick<LegStack, "send">;
  answers: Answers | undefined;
  /** The INVITE, counted. */
  request(options: RequestOptions): Request;
  nextHop(): Promise<Destination[]>;
  /** The dialog as the answer leaves it. */
  movedBy(response: Response): Dialog;
};

type Wanted = { headers: Header[]; body: string };

export async function reinvite(asker: Asker, { headers, body }: Wanted): Promise<Response | undefined> {
  for (let extra: Header[] = []; ; ) {
    const request = asker.request({ headers: [...headers, ...extra, SDP_TYPE], body });
    const response = await offerAnew(asker, request, extra);
    const again = response && asker.answers?.to(response, request);
    if (!again) return response;
    extra = again;
  }
}

async function offerAnew(asker: Asker, request: Request, proof: Header[]): Promise<Response | undefined> {
  const hops = await asker.nextHop();
  return new Promise((resolve) => {
    const outgoing = asker.stack.send(request, hops, (outcome) => {
      if (outcome.is === "provisional") return;
      if (outcome.is === "success") {
        const dialog = asker.movedBy(outcome.response);
        const ack = requestInDialog(dialog, "ACK", { cseq: cseqOf(request).number, headers: proof });
        if (hops[0]) outgoing.sendAck(ack.request, hops[0]);
        outgoing.handOver(() => undefined); // within a dialog there is nobody else to answer
      }
      resolve("response" in outcome ? outcome.response : undefined);
    });
  });
}
