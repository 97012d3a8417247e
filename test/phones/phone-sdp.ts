// What a telephone of ours says of its voice, and reads of that of others.

import type { RtpPhone } from "./rtp-phone.ts";

/** What a phone needs of its voice. */
export type PhoneVoice = Pick<RtpPhone, "port" | "talkTo" | "hush"> & Partial<Pick<RtpPhone, "address">>;

/** Where the other side wants to hear it. */
export function voiceIn(sdp: string): { address: string; port: number } {
  const address = /^c=IN IP4 (\S+)/m.exec(sdp)?.[1] ?? "127.0.0.1";
  return { address, port: Number(/m=audio (\d+)/.exec(sdp)?.[1]) };
}

export function sdpOf({ port, address = "127.0.0.1" }: PhoneVoice, direction = "sendrecv", version = 1): string {
  const lines = [
    ...["v=0", `o=- 1 ${version} IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0"],
    ...[`m=audio ${port} RTP/AVP 8 101`, "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000"],
    `a=${direction}`,
  ];
  return `${lines.join("\r\n")}\r\n`;
}
