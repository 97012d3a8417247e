// What a carrier that is played by a bench says by SIP: its INVITE, and its voice in SDP.

import { newCallId, newTag, type Random } from "../src/sip/headers/random.ts";
import type { Header, Request } from "../src/sip/message/message.ts";
import { OWN_NUMBER } from "./exchange-process.ts";

export const portIn = (body: string): number => Number(/m=audio (\d+)/.exec(body)?.[1]);

export function sdp(port: number): string {
  const lines = [
    ...["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0", `m=audio ${port} RTP/AVP 8 101`],
    ...["a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000", "a=sendrecv"],
  ];
  return `${lines.join("\r\n")}\r\n`;
}

/** Of every INVITE and answer of the carrier at this port. */
export const ownHeaders = (port: number): Header[] => [
  { name: "Contact", value: `<sip:carrier@127.0.0.1:${port}>` },
  { name: "Content-Type", value: "application/sdp" },
];

type Call = { random: Random; ownPort: number; exchangePort: number; voicePort: number };

/** To the exchange's own number. */
export function inviteFrom({ random, ownPort, exchangePort, voicePort }: Call): Request {
  const number = `sip:${OWN_NUMBER}@127.0.0.1:${exchangePort}`;
  return {
    is: "request",
    method: "INVITE",
    uri: number,
    headers: [
      { name: "From", value: `<sip:905329999999@127.0.0.1:${ownPort}>;tag=${newTag(random)}` },
      { name: "To", value: `<${number}>` },
      { name: "Call-ID", value: newCallId(random) },
      { name: "CSeq", value: "1 INVITE" },
      ...ownHeaders(ownPort),
    ],
    body: sdp(voicePort),
  };
}
