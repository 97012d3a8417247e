// What SIPp is told to do: register, call in with a tone, take a call.

const CARRIER = "<sip:carrier@[local_ip]:[local_port]>";

/** Who calls: what From says, if not just his number, what else the carrier says of him, and whom To names. */
export type CallerIn = { from?: string; headers?: readonly string[]; called?: string };

/** Calls, says its tone for three seconds and hangs up. Some carriers call an account, and say the number in To alone. */
export const callsIn = (
  caller: string,
  { from = `<sip:${caller}@[local_ip]:[local_port]>`, headers = [], called = "[service]" }: CallerIn = {},
) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="calls in">
  <send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: ${from};tag=[call_number]
To: <sip:${called}@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:carrier@[local_ip]:[local_port]>
${["Max-Forwards: 70", ...headers].join("\n")}
Content-Type: application/sdp
Content-Length: [len]

${sdpLines("[rtpstream_audio_port]")}
  ]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rrs="true"/>
  <send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: ${from};tag=[call_number]
To: <sip:${called}@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
[routes]
Max-Forwards: 70
Content-Length: 0

  ]]></send>
  <nop><action><exec rtp_stream="tone.al,1,8,PCMA/8000"/></action></nop>
  <pause milliseconds="3000"/>
  <send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: ${from};tag=[call_number]
To: <sip:${called}@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 2 BYE
[routes]
Max-Forwards: 70
Content-Length: 0

  ]]></send>
  <recv response="200"/>
</scenario>
`;

/** Takes no call. */
export const refuses = (status: number) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="refuses">
  <recv request="INVITE"/>
  ${reply(`${status} No`, { retrans: true })}
  <recv request="ACK"/>
</scenario>
`;

/** What SIPp says, by codec. */
export const TONE_HZ = { PCMA: 1_200, PCMU: 1_500 };

/** Calls with a session timer, refreshes it, goes over to another codec, and hangs up. */
export const refreshesAndChangesCodec = (caller: string) => {
  const request = (method: string, cseq: number, more: string[] = [], sdp = "") => {
    const uri = cseq === 1 && method === "INVITE" ? "sip:[service]@[remote_ip]:[remote_port]" : "[next_url]";
    const body = sdp === "" ? ["Content-Length: 0", ""] : ["Content-Type: application/sdp", "Content-Length: [len]"];
    return `<send${method === "ACK" ? "" : ' retrans="500"'}><![CDATA[
${[
  ...[`${method} ${uri} SIP/2.0`, "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]"],
  `From: <sip:${caller}@[local_ip]:[local_port]>;tag=[call_number]`,
  `To: <sip:[service]@[remote_ip]:[remote_port]>${uri === "[next_url]" ? "[peer_tag_param]" : ""}`,
  ...["Call-ID: [call_id]", `CSeq: ${cseq} ${method}`, "Contact: <sip:carrier@[local_ip]:[local_port]>"],
  ...["Max-Forwards: 70", ...more, ...body, "", sdp],
].join("\n")}
  ]]></send>`;
  };
  const timer = ["Supported: timer", "Session-Expires: 90;refresher=uac", "Min-SE: 90"];
  const hasTimer = `<action><ereg regexp="90" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="1"/></action>`;
  const says = (file: string, payload: number, codec: string) =>
    `<nop><action><exec rtp_stream="${file},-1,${payload},${codec}/8000"/></action></nop>
  <pause milliseconds="3000"/>`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="refreshes and changes codec">
  ${request("INVITE", 1, timer, sdpLines("[rtpstream_audio_port]"))}
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rrs="true">${hasTimer}</recv>
  ${request("ACK", 1)}
  ${says("tone.al", 8, "PCMA")}
  ${request("UPDATE", 2, timer)}
  <recv response="200">${hasTimer}</recv>
  ${request("INVITE", 3, timer, sdpLines("[rtpstream_audio_port]", "0 PCMU"))}
  <recv response="100" optional="true"/>
  <recv response="200">${hasTimer}</recv>
  ${request("ACK", 3)}
  ${says("tone.ul", 0, "PCMU")}
  ${request("BYE", 4)}
  <recv response="200"/>
  <Reference variables="1"/>
</scenario>
`;
};

/** Says its tone before any answer, and is then busy. */
export const speaksAndRefuses = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="speaks and refuses">
  <recv request="INVITE"/>
  ${reply("183 Session Progress", { contact: CARRIER, sdp: sdpLines("[rtpstream_audio_port]") })}
  <nop><action><exec rtp_stream="tone.al,-1,8,PCMA/8000"/></action></nop>
  <pause milliseconds="3000"/>
  ${reply("486 Busy Here", { retrans: true })}
  <recv request="ACK"/>
</scenario>
`;

/** Rings, answers and stays until the caller hangs up; with -rtp_echo the caller hears himself. */
export const takesCall = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="takes a call">
  <recv request="INVITE"/>
  ${reply("180 Ringing", { contact: CARRIER })}
  <pause milliseconds="300"/>
  ${reply("200 OK", { retrans: true, contact: CARRIER, sdp: sdpLines("[media_port]") })}
  <recv request="ACK"/>
  <recv request="BYE"/>
  ${reply("200 OK", { tag: "" })}
</scenario>
`;

/** Whatever comes later comes by the same way. */
const ROUTE = ["[last_Record-Route:]"];

/** The same, and whoever it talks with may ask it to send its voice elsewhere as often as he likes. */
export const takesCallAndMoves = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="takes a call and moves with it">
  <recv request="INVITE"/>
  ${reply("180 Ringing", { contact: CARRIER, headers: ROUTE })}
  <pause milliseconds="300"/>
  ${reply("200 OK", { retrans: true, contact: CARRIER, headers: ROUTE, sdp: sdpLines("[media_port]") })}
  <recv request="ACK"/>
  <label id="1"/>
  <recv request="INVITE" optional="true" next="2"/>
  <recv request="BYE" next="3"/>
  <label id="2"/>
  ${reply("200 OK", { tag: "", retrans: true, contact: CARRIER, headers: ROUTE, sdp: sdpLines("[media_port]") })}
  <recv request="ACK" next="1"/>
  <label id="3"/>
  ${reply("200 OK", { tag: "" })}
</scenario>
`;

function sdpLines(port: string, codec: "8 PCMA" | "0 PCMU" = "8 PCMA"): string {
  const [payload] = codec.split(" ");
  return [
    ...["v=0", "o=carrier 1 1 IN IP4 [local_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0"],
    ...[`m=audio ${port} RTP/AVP ${payload}`, `a=rtpmap:${codec}/8000`],
  ].join("\n");
}

type Reply = { tag?: string; contact?: string; headers?: readonly string[]; sdp?: string; retrans?: boolean };

/** What SIPp answers to the last request; within a dialog the tag is there already. */
export function reply(
  status: string,
  { tag = ";tag=sipp[call_number]", contact, headers = [], sdp, retrans = false }: Reply = {},
): string {
  return `<send${retrans ? ' retrans="500"' : ""}><![CDATA[
${[
  ...[`SIP/2.0 ${status}`, "[last_Via:]", "[last_From:]", `[last_To:]${tag}`, "[last_Call-ID:]", "[last_CSeq:]"],
  ...(contact === undefined ? [] : [`Contact: ${contact}`]),
  ...headers,
  ...(sdp === undefined
    ? ["Content-Length: 0", ""]
    : ["Content-Type: application/sdp", "Content-Length: [len]", "", sdp]),
].join("\n")}
  ]]></send>`;
}
