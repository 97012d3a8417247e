// What SIPp is told to do as a phone: register, forward by its own key, pick up for a colleague, send a call on.

import { reply } from "./sipp-scenarios.ts";

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
${reply("302 Moved Temporarily", { retrans: true, tag: ";tag=[pid]f[call_number]", contact: `<${contact}>` })}
<recv request="ACK"/>
</scenario>
`;

type Said = { uri: string; to?: string; tag: string; cseq: number; headers?: readonly string[]; sdp?: true };

/** A request of a phone; one in a dialog takes its ends from what it was last told. */
function asks(method: string, domain: string, { uri, to, tag, cseq, headers = [], sdp }: Said): string {
  const ends = [
    `From: <sip:[field0]@${domain}>;tag=[pid]${tag}[call_number]`,
    to === undefined ? "[last_To:]" : `To: <${to}>`,
  ];
  const body = [
    ...["v=0", "o=phone 1 1 IN IP4 [local_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0"],
    ...["m=audio [rtpstream_audio_port] RTP/AVP 8", "a=rtpmap:8 PCMA/8000"],
  ];
  return `<send${method === "ACK" ? "" : ' retrans="500"'}><![CDATA[
${[
  ...[`${method} ${uri} SIP/2.0`, "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport", ...ends],
  ...["Call-ID: [call_id]", `CSeq: ${cseq} ${method}`, "Contact: <sip:[field0]@[local_ip]:[local_port]>"],
  ...["Max-Forwards: 70", ...headers],
  ...(sdp ? ["Content-Type: application/sdp", "Content-Length: [len]", "", ...body] : ["Content-Length: 0", ""]),
].join("\n")}
]]></send>`;
}

/** Refused for the lack of a password, and so sent again with it. */
function logsIn(method: "INVITE" | "SUBSCRIBE", domain: string, said: Omit<Said, "uri"> & { to: string }): string {
  const { to: uri, cseq, headers = [] } = said;
  const ack =
    method === "INVITE"
      ? `
<send><![CDATA[
ACK ${uri} SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
CSeq: ${cseq} ACK
Max-Forwards: 70
Content-Length: 0

]]></send>`
      : "";
  return `${asks(method, domain, { uri, ...said })}
<recv response="100" optional="true"/>
<recv response="401" auth="true"/>${ack}
${asks(method, domain, { uri, ...said, cseq: cseq + 1, headers: [...headers, "[field1]"] })}`;
}

const ANSWERED = `<recv response="100" optional="true"/>
<recv response="180" optional="true"/>
<recv response="183" optional="true"/>
<recv response="200" rrs="true"/>`;

const ended = (domain: string, tag: string, cseq: number) => `${asks("BYE", domain, { uri: "[next_url]", tag, cseq })}
<recv response="200"/>`;

const scenario = (name: string, ...steps: string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="${name}">\n${steps.join("\n")}\n</scenario>\n`;

const quoted = (text: string) => text.replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Asks what rings at a colleague's, takes that call in his place, says its tone for three seconds and hangs up. */
export function picksUpRinging(domain: string, colleague: string): string {
  const to = `sip:${colleague}@${domain}`;
  const finds = (attribute: string, name: string) =>
    `<ereg regexp="${quoted(`${attribute}="([^"]+)"`)}" search_in="body" check_it="true" assign_to="all,${name}"/>`;
  const replaces = "Replaces: [$call];to-tag=[$remote];from-tag=[$local];early-only";
  return scenario(
    "picks up what rings",
    logsIn("SUBSCRIBE", domain, { to, tag: "s", cseq: 1, headers: ["Event: dialog", "Expires: 0"] }),
    '<recv response="200"/>',
    `<recv request="NOTIFY"><action>${finds("call-id", "call")}${finds("local-tag", "local")}${finds("remote-tag", "remote")}</action></recv>`,
    reply("200 OK", { tag: "" }),
    logsIn("INVITE", domain, { to, tag: "i", cseq: 3, sdp: true, headers: [replaces, "Require: replaces"] }),
    ANSWERED,
    asks("ACK", domain, { uri: "[next_url]", tag: "i", cseq: 4 }),
    '<nop><action><exec rtp_stream="tone.al,1,8,PCMA/8000"/></action></nop>',
    '<pause milliseconds="3000"/>',
    ended(domain, "i", 5),
    '<Reference variables="all"/>',
  );
}

/** Watches the lamp of an address while it is dark, lit and dark again; the file is there once it is watched. */
export function watchesLamp(domain: string, { of, file }: { of: string; file: string }): string {
  const told = (name: string, isLit: boolean) =>
    `<recv request="NOTIFY"><action>
  <ereg regexp="${quoted("<state>confirmed")}" search_in="body" ${isLit ? "check_it" : "check_it_inverse"}="true" assign_to="${name}"/>
</action></recv>
${reply("200 OK", { tag: "" })}`;
  const to = `sip:${of}@${domain}`;
  return scenario(
    "watches a lamp",
    logsIn("SUBSCRIBE", domain, { to, tag: "w", cseq: 1, headers: ["Event: dialog", "Expires: 600"] }),
    '<recv response="200"/>',
    told("first", false),
    `<nop><action><exec command="touch ${file}"/></action></nop>`,
    told("lit", true),
    told("dark", false),
    '<Reference variables="first,lit,dark"/>',
  );
}

/** Calls, sends the call on, and looks at what it is told of that: tried, ringing, done; then it is hung up on. */
export function sendsOn(domain: string, { called, to }: { called: string; to: string }): string {
  const told = (status: string, state: string, at: number) =>
    `<recv request="NOTIFY"><action>
  <ereg regexp="^ *refer" search_in="hdr" header="Event:" check_it="true" assign_to="${at}"/>
  <ereg regexp="${state}" search_in="hdr" header="Subscription-State:" check_it="true" assign_to="${at + 1}"/>
  <ereg regexp="^SIP/2.0 ${status}" search_in="body" check_it="true" assign_to="${at + 2}"/>
</action></recv>
${reply("200 OK", { tag: "" })}`;
  const refer = (cseq: number, ...proof: string[]) => ({
    ...{ uri: "[next_url]", tag: "r", cseq },
    headers: [`Refer-To: <sip:${to}@${domain}>`, ...proof],
  });
  return scenario(
    "sends on",
    logsIn("INVITE", domain, { to: `sip:${called}@${domain}`, tag: "r", cseq: 1, sdp: true }),
    ANSWERED,
    asks("ACK", domain, { uri: "[next_url]", tag: "r", cseq: 2 }),
    '<pause milliseconds="500"/>',
    asks("REFER", domain, refer(3)),
    '<recv response="401" auth="true"/>',
    asks("REFER", domain, refer(4, "[field1]")),
    '<recv response="202"/>',
    told("100", "active", 1),
    told("180", "active", 4),
    told("200", "terminated", 7),
    '<recv request="BYE"/>',
    reply("200 OK", { tag: "" }),
    '<Reference variables="1,2,3,4,5,6,7,8,9"/>',
  );
}
