// What SIPp is told to do as a carrier: ask who it is at every step, ring with numbers, only try, and send elsewhere.

import { reply } from "./sipp-scenarios.ts";

const CARRIER = "<sip:carrier@[local_ip]:[local_port]>";

/** Says that it tries, and is called off. */
export const onlyTries = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="only tries">
  <recv request="INVITE"><action>${keeps("Via", "via")}${keeps("CSeq", "cseq")}</action></recv>
  ${reply("100 Trying", { tag: "" })}
  <recv request="CANCEL"/>
  ${reply("200 OK")}
  ${answerTo("487 Request Terminated", { via: "via", cseq: "cseq" })}
  <recv request="ACK"/>
</scenario>
`;

/** Hears the call, and says nothing to it. */
export const saysNothing = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="says nothing">
  <recv request="INVITE"/>
  <pause milliseconds="2500"/>
</scenario>
`;

export type Asking = {
  user: string;
  password: string;
  /** How it learns that somebody else is on the line; without UPDATE in its Allow it is asked anew. */
  change: "UPDATE" | "INVITE";
  /** What it must be told then. */
  identity: string;
};

/** Asks for the password at every step: the call, its ringing acknowledged, its change, its end. */
export const asksEveryTime = ({ user, password, change, identity }: Asking) => {
  let labels = 0;
  const asks = (method: string, actions = "") => {
    const label = ++labels;
    const ack = method === "INVITE" ? `\n  <recv request="ACK"/>` : "";
    return `<recv request="${method}"/>
  ${reply("401 Who is it", { retrans: method === "INVITE", headers: [challenge(label)] })}${ack}
  <recv request="${method}"><action>
    <verifyauth assign_to="proved" username="${user}" password="${password}"/>${actions}
  </action></recv>
  <nop hide="true" test="proved" next="${label}"/>
  <nop><action><error message="no proof with ${method}"/></action></nop>
  <label id="${label}"/>`;
  };
  const allow = `Allow: INVITE, ACK, BYE, CANCEL, PRACK${change === "UPDATE" ? ", UPDATE" : ""}`;
  const sees = `<ereg regexp="${identity}" search_in="hdr" header="P-Asserted-Identity:" check_it="true" assign_to="seen"/>`;
  const sdp = [
    ...["v=0", "o=carrier 1 1 IN IP4 [local_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0"],
    ...["m=audio [media_port] RTP/AVP 8", "a=rtpmap:8 PCMA/8000"],
  ].join("\n");
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="asks every time">
  ${asks("INVITE", `${keeps("Via", "via")}${keeps("CSeq", "cseq")}`)}
  ${reply("180 Ringing", { contact: CARRIER, headers: ["Require: 100rel", "RSeq: 4711"] })}
  ${asks("PRACK")}
  ${reply("200 OK", { tag: "" })}
  ${answerTo("200 OK", { via: "via", cseq: "cseq", tag: "", headers: [`Contact: ${CARRIER}`, allow], sdp })}
  <recv request="ACK"/>
  ${asks(change, sees)}
  ${reply("200 OK", { tag: "", contact: CARRIER, ...(change === "INVITE" ? { sdp } : {}) })}
  ${change === "INVITE" ? '<recv request="ACK"/>' : ""}
  ${asks("BYE")}
  ${reply("200 OK", { tag: "" })}
  <Reference variables="proved,seen"/>
</scenario>
`;
};

const challenge = (nonce: number) =>
  `WWW-Authenticate: Digest realm="carrier", nonce="once-${nonce}", algorithm=MD5, qop="auth"`;

function keeps(header: string, name: string): string {
  return `<ereg regexp=".*" search_in="hdr" header="${header}:" assign_to="${name}"/>`;
}

type Kept = { via: string; cseq: string; tag?: string; headers?: readonly string[]; sdp?: string };

/** To a request that others have come after. */
function answerTo(status: string, { via, cseq, tag = ";tag=sipp[call_number]", headers = [], sdp }: Kept): string {
  return `<send retrans="500"><![CDATA[
${[
  ...[`SIP/2.0 ${status}`, `Via:[$${via}]`, "[last_From:]", `[last_To:]${tag}`, "[last_Call-ID:]", `CSeq:[$${cseq}]`],
  ...headers,
  ...(sdp === undefined
    ? ["Content-Length: 0", ""]
    : ["Content-Type: application/sdp", "Content-Length: [len]", "", sdp]),
].join("\n")}
  ]]></send>`;
}
