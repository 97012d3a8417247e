// What we say of ourselves and of what we send, the same in every dialog.

import type { Header } from "../../sip/message/message.ts";

export const ALLOW: Header = {
  name: "Allow",
  value: "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REFER, NOTIFY, PRACK",
};

export const SDP_TYPE: Header = { name: "Content-Type", value: "application/sdp" };
