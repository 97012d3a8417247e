// The messages of an ordinary day: a call with its answer, acknowledgement and end, and a registration.

const sdp = [
  "v=0",
  "o=- 3895237421 3895237421 IN IP4 192.0.2.14",
  "s=call",
  "c=IN IP4 192.0.2.14",
  "t=0 0",
  "m=audio 40012 RTP/AVP 8 0 9 101",
  "a=rtpmap:8 PCMA/8000",
  "a=rtpmap:0 PCMU/8000",
  "a=rtpmap:9 G722/8000",
  "a=rtpmap:101 telephone-event/8000",
  "a=fmtp:101 0-15",
  "a=ptime:20",
  "a=sendrecv",
  "",
].join("\r\n");

const message = (lines: string[], body = "") => [...lines, `Content-Length: ${body.length}`, "", body].join("\r\n");

const dialog = [
  'From: "Reception" <sip:1001@santral.example;transport=udp>;tag=9fxced76sl',
  "Call-ID: 3848276298220188511@pc33.santral.example",
];
const via = "Via: SIP/2.0/UDP 192.0.2.14:5062;branch=z9hG4bK776asdhds-3848276298220188511;rport";
const contact = 'Contact: <sip:1001@192.0.2.14:5062;transport=udp;line=8f2c1a>;+sip.instance="<urn:uuid:f81d4fae>"';
const allow = "Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, PRACK, REFER, NOTIFY, SUBSCRIBE, INFO, UPDATE, MESSAGE";
const supported = "Supported: replaces, timer, 100rel, outbound, gruu, norefersub";

export const mix: readonly string[] = [
  message(
    [
      "INVITE sip:08505320000@santral.example;user=phone SIP/2.0",
      via,
      "Max-Forwards: 70",
      ...dialog,
      "To: <sip:08505320000@santral.example;user=phone>",
      "CSeq: 314159 INVITE",
      contact,
      allow,
      supported,
      "Session-Expires: 1800",
      "Min-SE: 90",
      "User-Agent: Desk Phone 4.2.1 (00:1a:2b:3c:4d:5e)",
      "Content-Type: application/sdp",
    ],
    sdp,
  ),
  message(
    [
      "SIP/2.0 200 OK",
      `${via}=5062;received=192.0.2.14`,
      "Record-Route: <sip:192.0.2.1;lr;ftag=9fxced76sl>",
      ...dialog,
      "To: <sip:08505320000@santral.example;user=phone>;tag=314159abc",
      "CSeq: 314159 INVITE",
      "Contact: <sip:08505320000@192.0.2.1:5060>",
      allow,
      supported,
      "Session-Expires: 1800;refresher=uas",
      "Content-Type: application/sdp",
    ],
    sdp,
  ),
  message([
    "ACK sip:08505320000@192.0.2.1:5060 SIP/2.0",
    via,
    "Max-Forwards: 70",
    ...dialog,
    "To: <sip:08505320000@santral.example;user=phone>;tag=314159abc",
    "CSeq: 314159 ACK",
  ]),
  message([
    "BYE sip:08505320000@192.0.2.1:5060 SIP/2.0",
    via,
    "Max-Forwards: 70",
    ...dialog,
    "To: <sip:08505320000@santral.example;user=phone>;tag=314159abc",
    "CSeq: 314160 BYE",
    'Reason: Q.850;cause=16;text="Normal call clearing"',
  ]),
  message([
    "REGISTER sip:santral.example SIP/2.0",
    via,
    "Max-Forwards: 70",
    "From: <sip:1001@santral.example>;tag=4fa3",
    "To: <sip:1001@santral.example>",
    "Call-ID: 1j9FpLxk3uxtm8tn@192.0.2.14",
    "CSeq: 7 REGISTER",
    `${contact};expires=60`,
    'Authorization: Digest username="1001", realm="santral.example", nonce="mhvt0p.1.9b1c0ffee", ' +
      'uri="sip:santral.example", response="5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592", ' +
      'algorithm=SHA-256, qop=auth, nc=00000001, cnonce="0a4f113b"',
    allow,
    "User-Agent: Desk Phone 4.2.1 (00:1a:2b:3c:4d:5e)",
    "Expires: 60",
  ]),
];

/** The mix so many times over, each time another call: no two messages share a branch, a tag or a Call-ID. */
export function callsOf(count: number): string[] {
  return Array.from({ length: count }, (_, call) =>
    mix.map((text, at) => anotherCall(text, call * mix.length + at)),
  ).flat();
}

// The digits replaced keep their number, and so do the lengths.
function anotherCall(text: string, call: number): string {
  const digits = String(1_000_000 + call);
  return text
    .replaceAll("776asdhds", `77${digits}`)
    .replaceAll("tag=9fxced76sl", `tag=9fx${digits}`)
    .replaceAll("tag=314159abc", `tag=31${digits}`)
    .replaceAll("tag=4fa3", `tag=${digits}`)
    .replaceAll("3848276298220188511@", `384827629822${digits}@`)
    .replaceAll("1j9FpLxk3uxtm8tn@", `1j9FpLxk3${digits}@`);
}
