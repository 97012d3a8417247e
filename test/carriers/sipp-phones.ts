// What SIPp is told to do as a phone: register, and forward by its own key.

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
