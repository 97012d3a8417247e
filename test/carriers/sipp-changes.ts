// Scenarios made from others: what they look at, how they are refused, and how they write their messages.

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

/** The same, but the INVITE must look like this. */
export const seeing = (scenario: string, invite: RegExp) => wanting(scenario, { "": invite.source });

/** The same call, refused with that status; where a header is named it has to say why. */
export function refusedWith(scenario: string, status: number, why?: { header: string; says: string }): string {
  const look = why
    ? `<action><ereg regexp="${why.says}" search_in="hdr" header="${why.header}:" check_it="true" assign_to="1"/></action>`
    : "";
  return scenario.replace(
    / {2}<recv response="100"[\s\S]*$/,
    `  <recv response="100" optional="true"/>
  <recv response="${status}">${look}</recv>
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
${why ? '  <Reference variables="1"/>\n' : ""}</scenario>
`,
  );
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
