import { expect, test } from "vitest";
import type { Message } from "../message/message.ts";
import { hasParameter, parameterOf, parseParameters, splitList } from "../message/parameters.ts";
import { assertedIdentitiesOf, contactsOf, recordRoutesOf, referToOf } from "./addresses.ts";
import { challengesOf, parseAuth, printAuth } from "./auth.ts";
import { answerAfter } from "./call-info.ts";
import { acceptOf, accepts, contentDispositionOf, contentTypeOf, hasContent } from "./content.ts";
import { date } from "./date.ts";
import { event, eventOf, subscriptionState } from "./event.ts";
import { maxForwardsOf } from "./max-forwards.ts";
import { type NameAddress, parseNameAddress, preferenceOf, printNameAddress, tagOf } from "./name-address.ts";
import { hidesIdentity } from "./privacy.ts";
import { productOf } from "./product.ts";
import { rack, rackOf, rseqOf } from "./reliable.ts";
import { parseReplaces, replacesOf } from "./replaces.ts";
import { retryAfterOf } from "./retry-after.ts";
import { contactExpiresOf, expiresOf } from "./seconds.ts";
import { minSeOf, sessionExpires, sessionExpiresOf } from "./session-timer.ts";
import { allowOf, knowsOption } from "./token-lists.ts";
import { parseVia, receivedOf, rportOf, stampTopVia, stampVia, topViaOf } from "./via.ts";
import { warning } from "./warning.ts";

/** A message of nothing but these headers, in this order. */
const carrying = (...headers: [name: string, value: string][]): Message => ({
  is: "request",
  method: "INVITE",
  uri: "sip:a@b",
  headers: headers.map(([name, value]) => ({ name, value })),
  body: "",
});

const MALFORMED = expect.objectContaining({ malformed: expect.any(String) });

function address(text: string): NameAddress {
  const parsed = parseNameAddress(text);
  if ("malformed" in parsed) throw new Error(parsed.malformed);
  return parsed;
}

test.each([
  ['"A \\"B\\" \\\\" <sip:a@b;lr>;tag=1;Q=0.5', 'A "B" \\', "sip:a@b;lr", 2],
  ["<sip:a@b>", "", "sip:a@b", 0],
  ["sip:a@b;tag=1", "", "sip:a@b", 1],
  ["Bell Alexander<sip:a@b> ; tag = 1", "Bell Alexander", "sip:a@b", 1],
  ["0532 (cell) <sip:a@b>", "0532 (cell)", "sip:a@b", 0],
  ['""<sip:a@b>', "", "sip:a@b", 0],
  ["<tel:+90532;phone-context=x>", "", "tel:+90532;phone-context=x", 0],
])("the address %s is read", (text, display, uri, parameters) => {
  expect(address(text)).toMatchObject({ display, uri });
  expect(address(text).parameters).toHaveLength(parameters);
  expect(address(printNameAddress(address(text)))).toEqual(address(text));
});

test.each([
  "",
  "a@b",
  "<>",
  "<a>",
  '"a" sip:a@b',
  '"a',
  "<sip:a@b",
  "Bell, A <sip:a@b>",
  "sip:a@b?x=y",
  "sip:a,b@c",
  "<sip:a b>",
  "<sip:a@b>x",
  "<sip:a@b>;",
  "<sip:a@b>;;a",
  "<sip:a@b>;a=",
  '<sip:a@b>;a="b',
])("%j is no address", (text) => expect(parseNameAddress(text)).toEqual(MALFORMED));

test("tags are found, preferences are numbers", () => {
  expect(tagOf(address("<sip:a@b>;x;TAG=Ab"))).toBe("Ab");
  expect([";q=0.7", "", ";q=x", ";q=2"].map((text) => preferenceOf(address(`<sip:a@b>${text}`)))).toEqual([
    0.7, 1, 0, 0,
  ]);
});

test("lists are split at commas that are no part of a name or an address", () => {
  expect(splitList('"a, b" <sip:c,d@e>;x="1,2" , sip:f , ')).toEqual(['"a, b" <sip:c,d@e>;x="1,2"', "sip:f", ""]);
  expect(splitList('"open, b')).toEqual(['"open, b']);
});

test("contacts are a list, a star, or neither", () => {
  expect(contactsOf(carrying())).toEqual([]);
  expect(contactsOf(carrying(["Contact", "<sip:a@b>, sip:c@d;expires=5"], ["Contact", "<sip:e@f>"]))).toHaveLength(3);
  expect(contactsOf(carrying(["Contact", "*"]))).toBe("*");
  expect(contactsOf(carrying(["Contact", "*"], ["Contact", "<sip:a@b>"]))).toEqual(MALFORMED);
  expect(contactsOf(carrying(["Contact", "<sip:a@b>,"]))).toEqual(MALFORMED);
  expect(recordRoutesOf(carrying(["Record-Route", "<sip:a;lr>,<sip:b;lr>"]))).toMatchObject([
    { uri: "sip:a;lr" },
    { uri: "sip:b;lr" },
  ]);
  expect(referToOf(carrying(["Refer-To", "<sip:a@b?Replaces=x>"]))).toMatchObject({ uri: "sip:a@b?Replaces=x" });
  expect(referToOf(carrying(["Refer-To", "<sip:a@b>, <sip:c@d>"]))).toEqual(MALFORMED);
  expect(assertedIdentitiesOf(carrying(["P-Asserted-Identity", '"A" <sip:a@b>, <tel:1>']))).toHaveLength(2);
});

test("parameters keep their order, and names know no case", () => {
  const parameters = parseParameters(';A=1 ; b ;C = "x;y" ;d=[::1]:5', 0);
  if ("malformed" in parameters) throw new Error(parameters.malformed);
  expect(parameters.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  expect(parameterOf(parameters, "c")).toBe("x;y");
  expect(parameterOf(parameters, "b")).toBe("");
  expect(parameterOf(parameters, "e")).toBeUndefined();
  expect(hasParameter(parameters, "b")).toBe(true);
});

test("the server stamps on the Via where the request came from", () => {
  const message = carrying(
    ["Via", "SIP/2.0/UDP phone.example:5062;rport;branch=z9hG4bK1, SIP/2.0/TCP b"],
    ["Via", "SIP/2.0/UDP c"],
  );
  const stamped = stampTopVia(message, { address: "192.0.2.7", port: 1024 });
  expect(stamped.headers[0]?.value).toBe(
    "SIP/2.0/UDP phone.example:5062;rport=1024;branch=z9hG4bK1;received=192.0.2.7, SIP/2.0/TCP b",
  );
  expect(stamped.headers[1]).toBe(message.headers[1]);
  expect(rportOf(topViaOf(message))).toBe("asked");
  expect(rportOf(topViaOf(stamped))).toBe(1024);
  expect(receivedOf(topViaOf(stamped))).toBe("192.0.2.7");
});

test("a Via that already tells the truth is left alone, and a forged one is corrected", () => {
  const via = (text: string) => {
    const parsed = parseVia(text);
    if ("malformed" in parsed) throw new Error(parsed.malformed);
    return parsed;
  };
  const plain = via("SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1");
  expect(stampVia(plain, { address: "192.0.2.7", port: 9 })).toBe(plain);
  const v6 = via("SIP/2.0/UDP [2001:DB8::1];branch=z9hG4bK1");
  expect(stampVia(v6, { address: "2001:db8::1", port: 9 })).toBe(v6);
  const forged = stampVia(via("SIP/2.0/UDP 10.0.0.1;received=10.0.0.9"), { address: "192.0.2.7", port: 9 });
  expect(receivedOf(forged)).toBe("192.0.2.7");
});

test.each([
  "",
  "SIP/2.0/UDP",
  "SIP/2.0/UDP ",
  "SIP/2.0 a",
  "HTTP/2.0/UDP a",
  "SIP/2.0/UDP a:x",
  "SIP/2.0/UDP a:65536",
  "SIP/2.0/UDP [::1",
  "SIP/2.0/UDP a;;",
  "SIP/2.0/UDP a b",
])("%j is no Via", (text) => expect(parseVia(text)).toEqual(MALFORMED));

test("numbers in headers are whole, bounded, or marked", () => {
  expect(maxForwardsOf(carrying())).toBeUndefined();
  expect(maxForwardsOf(carrying(["Max-Forwards", "0070"]))).toBe(70);
  expect(maxForwardsOf(carrying(["Max-Forwards", "256"]))).toEqual(MALFORMED);
  expect(expiresOf(carrying(["Expires", "3600"]))).toBe(3600);
  expect(expiresOf(carrying(["Expires", "99999999999"]))).toEqual(MALFORMED);
  expect(contactExpiresOf(address("<sip:a@b>;expires=60"))).toBe(60);
  expect(contactExpiresOf(address("<sip:a@b>;expires=x"))).toEqual(MALFORMED);
  expect(retryAfterOf(carrying(["Retry-After", "120 (back soon);duration=60"]))).toBe(120);
  expect(retryAfterOf(carrying(["Retry-After", "soon"]))).toEqual(MALFORMED);
});

test("session timers are read and written", () => {
  const header = sessionExpires({ seconds: 1800, refresher: "uas" });
  expect(header.value).toBe("1800;refresher=uas");
  expect(sessionExpiresOf(carrying([header.name, header.value]))).toEqual({ seconds: 1800, refresher: "uas" });
  expect(sessionExpiresOf(carrying(["Session-Expires", "90"]))).toEqual({ seconds: 90, refresher: undefined });
  expect(sessionExpiresOf(carrying(["Session-Expires", "90;refresher=me"]))).toEqual(MALFORMED);
  expect(minSeOf(carrying(["Min-SE", "90;x=y"]))).toBe(90);
});

test("a PRACK names the response it acknowledges", () => {
  const header = rack({ rseq: 988, cseq: { number: 314, method: "INVITE" } });
  expect(rackOf(carrying([header.name, header.value]))).toEqual({ rseq: 988, cseq: { number: 314, method: "INVITE" } });
  expect(rseqOf(carrying(["RSeq", "0"]))).toEqual(MALFORMED);
  expect(rackOf(carrying(["RAck", "1 INVITE"]))).toEqual(MALFORMED);
});

test("Replaces names a dialog, from a header or out of an address", () => {
  const text = "98732@sip.example.com;from-tag=r33th4x0r;to-tag=ff87ff;early-only";
  const dialog = { callId: "98732@sip.example.com", fromTag: "r33th4x0r", toTag: "ff87ff", earlyOnly: true };
  expect(parseReplaces(text)).toEqual(dialog);
  expect(replacesOf(carrying(["Replaces", "a;to-tag=b"]))).toEqual(MALFORMED);
  expect(replacesOf(carrying(["Replaces", text], ["Replaces", text]))).toEqual(MALFORMED);
});

test("subscriptions say what they watch and how they stand", () => {
  expect(eventOf(carrying(["Event", "dialog;id=7"]))).toMatchObject({ package: "dialog", id: "7" });
  expect(event({ package: "message-summary" }).value).toBe("message-summary");
  expect(eventOf(carrying(["Event", ";id=7"]))).toEqual(MALFORMED);
  expect(subscriptionState({ state: "active", expiresSeconds: 600 })).toEqual({
    name: "Subscription-State",
    value: "active;expires=600",
  });
  expect(subscriptionState({ state: "terminated", reason: "noresource" }).value).toBe("terminated;reason=noresource");
});

test("a phone is asked in every dialect to answer by itself, and some makes in their own", () => {
  expect(answerAfter("santral.example", 3)).toEqual([
    { name: "Call-Info", value: "<sip:santral.example>;answer-after=3" },
    { name: "Alert-Info", value: "<http://santral.example>;info=alert-autoanswer;delay=3" },
    { name: "Answer-Mode", value: "Auto" },
    { name: "Priv-Answer-Mode", value: "Auto" },
  ]);
  const usual = "<http://santral.example>;info=alert-autoanswer;delay=0";
  const makes: [userAgent: string, alert: string | undefined][] = [
    ["PolycomVVX-VVX_411-UA/5.9", "Ring Answer"],
    ["PolyEdge-Edge_E350-UA/8.0.1", "Ring Answer"],
    ["Panasonic_KX-HDV230/08.006 (0080f0000000)", "Intercom"],
    ["Digium D65 2_9_5", "ring-answer"],
    ["Sangoma P330/4.14", "ring-answer"],
    ["Cisco/SPA504G-7.6.2f", undefined],
    ["Cisco-CP-8841-3PCC/11.3.7", undefined],
    ["Yealink SIP-T46S 66.86.0.15", usual],
    ["snomD785/10.1.159.12", usual],
    ["Grandstream GXP2170 1.0.11.79", usual],
    ["Fanvil X4U 2.12.16 0c383e000000", usual],
    ["Gigaset N670 IP PRO/83.V2.49.0", usual],
    ["Mitel-6867i/5.1.0", usual],
    ["", usual],
  ];
  for (const [userAgent, alert] of makes) {
    const asked = answerAfter("santral.example", 0, userAgent);
    expect([userAgent, asked.find(({ name }) => name === "Alert-Info")?.value]).toEqual([userAgent, alert]);
    expect(asked.find(({ name }) => name === "Call-Info")?.value).toBe("<sip:santral.example>;answer-after=0");
  }
});

test("privacy hides the number when it is asked for", () => {
  expect(hidesIdentity(carrying(["Privacy", "ID; critical"]))).toBe(true);
  expect(hidesIdentity(carrying(["Privacy", "id"]))).toBe(true);
  expect(hidesIdentity(carrying(["Privacy", "none"]))).toBe(false);
  expect(hidesIdentity(carrying())).toBe(false);
});

test("dates are in one form and in GMT", () => {
  expect(date(Date.UTC(2010, 10, 13, 23, 29))).toEqual({ name: "Date", value: "Sat, 13 Nov 2010 23:29:00 GMT" });
});

test("a body says what it is, and a peer what it takes", () => {
  const message = carrying(
    ["Content-Type", 'Multipart/Mixed ; boundary="a b"'],
    ["Content-Disposition", "session;handling=optional"],
  );
  expect(contentTypeOf(message)).toMatchObject({ type: "multipart/mixed" });
  expect(hasContent(message, "multipart/mixed")).toBe(true);
  expect(contentDispositionOf(message)).toMatchObject({ kind: "session", optional: true });
  expect(contentTypeOf(carrying(["Content-Type", "sdp"]))).toEqual(MALFORMED);
  expect(accepts(carrying(), "application/sdp")).toBe(true);
  expect(accepts(carrying(["Accept", "text/*;q=0.3, application/x"]), "text/plain")).toBe(true);
  expect(accepts(carrying(["Accept", ""]), "application/sdp")).toBe(false);
  expect(acceptOf(carrying(["Accept", "text"]))).toEqual(MALFORMED);
});

test("words in lists are found whatever their case", () => {
  const message = carrying(["Supported", "timer, , 100REL"], ["Require", "Replaces"], ["Allow", "INVITE,ACK"]);
  expect(["100rel", "replaces", "path"].map((option) => knowsOption(message, option))).toEqual([true, true, false]);
  expect(allowOf(message)).toEqual(["INVITE", "ACK"]);
});

test("challenges and answers keep their quotes where the others want them", () => {
  const text = printAuth({ realm: 'a"b', nonce: "n", algorithm: "MD5", qop: "auth", stale: "true" }, "challenge");
  expect(text).toBe('Digest realm="a\\"b", nonce="n", algorithm=MD5, qop="auth", stale=true');
  expect(printAuth({ qop: "auth", nc: "00000001" }, "answer")).toBe("Digest qop=auth, nc=00000001");
  const [challenge] = challengesOf(carrying(["WWW-Authenticate", text]));
  expect(challenge).toMatchObject({ scheme: "digest" });
  expect(challenge && "parameters" in challenge && challenge.parameters.get("realm")).toBe('a"b');
  for (const spoilt of ["", "Digest realm", 'Digest realm="a', "Digest a=b c=d", "Digest a=1, a=2", "Digest =b"])
    expect(parseAuth(spoilt)).toEqual(MALFORMED);
});

test("warnings and products are for people", () => {
  expect(warning({ code: 399, agent: "santral.example", text: 'no "such" codec' })).toEqual({
    name: "Warning",
    value: '399 santral.example "no \\"such\\" codec"',
  });
  expect(productOf(carrying(["User-Agent", "Phone/1.0"]))).toBe("Phone/1.0");
});
