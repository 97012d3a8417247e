// A REGISTER or OPTIONS to a carrier as a message.

import type { Header, Request } from "../../../sip/message/message.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { accountUri, routeTo } from "./addressing.ts";

export type CarrierRequest = { method: string; uri: string; callId: string; tag: string; cseq: number };

export function carrierRequest(setup: TrunkSetup, asked: CarrierRequest, headers: readonly Header[]): Request {
  const { method, uri, callId, tag, cseq } = asked;
  const account = accountUri(setup);
  return {
    is: "request",
    method,
    uri,
    headers: [
      ...routeTo(setup),
      { name: "From", value: `<${account}>;tag=${tag}` },
      { name: "To", value: `<${method === "REGISTER" ? account : uri}>` },
      { name: "Call-ID", value: callId },
      { name: "CSeq", value: `${cseq} ${method}` },
      { name: "User-Agent", value: "Santral" },
      ...headers,
    ],
    body: "",
  };
}
