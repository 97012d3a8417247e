// What SIPp is told to do: register, call in with a tone, take a call.

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

/** Calls and is refused with that status. */
export const isRefused = (caller: string, status: number) =>
  callsIn(caller).replace(
    /<recv response="100"[\s\S]*<\/scenario>/,
    `<recv response="100" optional="true"/>
  <recv response="${status}"/>
  <send><![CDATA[
ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

  ]]></send>
</scenario>`,
  );

/** Takes no call. */
export const refuses = (status: number) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="refuses">
  <recv request="INVITE"/>
  <send retrans="500"><![CDATA[
SIP/2.0 ${status} No
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

  ]]></send>
  <recv request="ACK"/>
</scenario>
`;

/** The same, but the INVITE must look like this. */
export const seeing = (scenario: string, invite: RegExp) =>
  scenario
    .replace(
      '<recv request="INVITE"/>',
      `<recv request="INVITE">
    <action><ereg regexp="${invite.source.replaceAll("<", "&lt;")}" search_in="msg" check_it="true" assign_to="1"/></action>
  </recv>`,
    )
    .replace("</scenario>", '  <Reference variables="1"/>\n</scenario>');

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
  <send><![CDATA[
SIP/2.0 183 Session Progress
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:carrier@[local_ip]:[local_port]>
Content-Type: application/sdp
Content-Length: [len]

${sdpLines("[rtpstream_audio_port]")}
  ]]></send>
  <nop><action><exec rtp_stream="tone.al,-1,8,PCMA/8000"/></action></nop>
  <pause milliseconds="3000"/>
  <send retrans="500"><![CDATA[
SIP/2.0 486 Busy Here
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

  ]]></send>
  <recv request="ACK"/>
</scenario>
`;

/** Rings, answers and stays until the caller hangs up; with -rtp_echo the caller hears himself. */
export const takesCall = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="takes a call">
  <recv request="INVITE"/>
  <send><![CDATA[
SIP/2.0 180 Ringing
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:carrier@[local_ip]:[local_port]>
Content-Length: 0

  ]]></send>
  <pause milliseconds="300"/>
  <send retrans="500"><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:carrier@[local_ip]:[local_port]>
Content-Type: application/sdp
Content-Length: [len]

${sdpLines("[media_port]")}
  ]]></send>
  <recv request="ACK"/>
  <recv request="BYE"/>
  <send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

  ]]></send>
</scenario>
`;

/** The same behind a proxy that stays on the way. */
export const recordsRoute = (scenario: string) =>
  scenario.replaceAll("Contact: <sip:carrier@", "[last_Record-Route:]\nContact: <sip:carrier@");

/** The same, and it fails unless the headers of the INVITE are as they should be; without a name it may be any of them. */
export function wanting(scenario: string, wanted: Readonly<Record<string, string>>): string {
  const checks = Object.entries(wanted).map(
    ([header, regexp], at) =>
      `<ereg regexp="${regexp.replaceAll("<", "&lt;").replaceAll('"', "&quot;")}" ${header === "" ? 'search_in="msg"' : `search_in="hdr" header="${header}:"`} check_it="true" assign_to="${at + 1}"/>`,
  );
  const names = checks.map((_, at) => at + 1).join(",");
  return scenario
    .replace('<recv request="INVITE"/>', `<recv request="INVITE"><action>${checks.join("")}</action></recv>`)
    .replace("</scenario>", `<Reference variables="${names}"/></scenario>`);
}

/** The same, and what is said to it in INVITE or answer must name this address of ours, in Contact and description. */
export function expectsUsAt(address: string, scenario: string): string {
  const said = address.replaceAll(".", "\\.");
  const looks = `<action>
    <ereg regexp="@${said}:" search_in="hdr" header="Contact:" check_it="true" assign_to="1"/>
    <ereg regexp="o=[^\n]*${said}[^0-9.]" search_in="body" check_it="true" assign_to="2"/>
    <ereg regexp="c=IN IP4 ${said}[^0-9.]" search_in="body" check_it="true" assign_to="3"/>
  </action>`;
  return scenario
    .replace('<recv request="INVITE"/>', `<recv request="INVITE">${looks}</recv>`)
    .replace('<recv response="200" rrs="true"/>', `<recv response="200" rrs="true">${looks}</recv>`)
    .replace("</scenario>", '  <Reference variables="1,2,3"/>\n</scenario>');
}

/** The same with the session description as one part of several, as carriers that pass ISUP along send it. */
export function inParts(scenario: string): string {
  return scenario.replace(
    /Content-Type: application\/sdp\nContent-Length: \[len\]\n\n([\s\S]*?)\n(?= {2}\]\])/g,
    (_, sdp: string) => `Content-Type: multipart/mixed;boundary="a part"
Content-Length: [len]

--a part
Content-Type: application/isup;version=itu-t92+
Content-Disposition: signal;handling=optional

0110
--a part
Content-Type: application/sdp

${sdp}

--a part--
`,
  );
}

function sdpLines(port: string, codec: "8 PCMA" | "0 PCMU" = "8 PCMA"): string {
  const [payload] = codec.split(" ");
  return [
    ...["v=0", "o=carrier 1 1 IN IP4 [local_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0"],
    ...[`m=audio ${port} RTP/AVP ${payload}`, `a=rtpmap:${codec}/8000`],
  ].join("\n");
}

/** An account for `registerScenario`: SIPp does not fill in fields inside [authentication], so it is one of them. */
export const account = (user: string, password: string) =>
  `${user};[authentication username=${user} password=${password}]`;

/** REGISTER, the challenge, REGISTER again, and the status expected to it. */
export function registerScenario(options: RegisterOptions): string {
  const { domain, expects = 200, expires = 300, contactHost = "[local_ip]:[local_port]", userAgent } = options;
  const message = (cseq: number, authorization: string) => `<send retrans="500"><![CDATA[
REGISTER sip:${domain} SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
From: <sip:[field0]@${domain}>;tag=[pid]x[call_number]
To: <sip:[field0]@${domain}>
Call-ID: [call_id]
CSeq: ${cseq} REGISTER
Contact: <sip:[field0]@${contactHost};transport=[transport]>
${userAgent === undefined ? "" : `User-Agent: ${userAgent}\n`}${authorization}Expires: ${expires}
Max-Forwards: 70
Content-Length: 0

]]></send>`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="register">
${message(1, "")}
<recv response="401" auth="true"/>
${message(2, "[field1]\n")}
<recv response="${expects}"/>
</scenario>
`;
}

export type RegisterOptions = {
  domain: string;
  expects?: number;
  expires?: number;
  /** What stands behind the @ of the Contact; by default where SIPp really is. */
  contactHost?: string;
  /** What it calls itself; by default nothing. */
  userAgent?: string;
};

/** A phone whose own key forwards every call to this address. */
export const forwardsTo = (contact: string) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="forwards">
<recv request="INVITE" crlf="true"/>
<send retrans="500"><![CDATA[
SIP/2.0 302 Moved Temporarily
[last_Via:]
[last_From:]
[last_To:];tag=[pid]f[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <${contact}>
Content-Length: 0

]]></send>
<recv request="ACK"/>
</scenario>
`;
