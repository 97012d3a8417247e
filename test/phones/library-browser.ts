// A browser's connection without a browser: played by a library, with the narrow codecs and keys that Chromium offers.

import { RTCPeerConnection, RTCRtpCodecParameters } from "werift";

const HOST = "127.0.0.1";
/** The payload type by which it tells keys. */
export const BROWSERS_DIGITS = 126;

export function openLibraryBrowser(): RTCPeerConnection {
  const audio = (name: string, payloadType: number) =>
    new RTCRtpCodecParameters({ mimeType: `audio/${name}`, clockRate: 8_000, channels: 1, payloadType });
  return new RTCPeerConnection({
    codecs: { audio: [audio("PCMU", 0), audio("PCMA", 8), audio("telephone-event", BROWSERS_DIGITS)] },
    headerExtensions: { audio: [] },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [HOST],
    iceInterfaceAddresses: { udp4: HOST },
    bundlePolicy: "max-bundle",
  });
}
