import { expect, test } from "vitest";
import { vias } from "../../../test/sip/sip-torture.ts";
import { callIdOf, fromOf, toOf } from "../headers/addresses.ts";
import { cseqOf } from "../headers/cseq.ts";
import { tagOf } from "../headers/name-address.ts";
import { topViaOf } from "../headers/via.ts";
import { headerOf, headersOf, type Message } from "../message/message.ts";
import { LIMITS, parseMessage } from "./parse.ts";

const LINES = [
  "INVITE sip:1002@santral.example SIP/2.0",
  "Via: SIP/2.0/UDP 192.0.2.14:5062;branch=z9hG4bK776;rport",
  "Max-Forwards: 70",
  "From: <sip:1001@santral.example>;tag=9fx",
  "To: <sip:1002@santral.example>",
  "Call-ID: 38482@192.0.2.14",
  "CSeq: 1 INVITE",
];

const text = (lines: string[], body = "") => [...lines, "", body].join("\r\n");
/** The usual INVITE with lines of these names replaced, removed (value undefined) or added. */
function invite(changes: Record<string, string | undefined> = {}, body = ""): string {
  const kept = LINES.filter((line) => !(line.split(":")[0]! in changes));
  const added = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return text([...kept, ...added], body);
}

function understood(octets: string): Message {
  const parsed = parseMessage(octets);
  if ("malformed" in parsed) throw new Error(parsed.malformed);
  return parsed.message;
}

function refused(octets: string): { malformed: string; status: number; answerable: boolean } {
  const parsed = parseMessage(octets);
  if ("message" in parsed) throw new Error("it was understood");
  return { malformed: parsed.malformed, status: parsed.status, answerable: parsed.request !== undefined };
}

test("an INVITE is read field by field", () => {
  const message = understood(invite({}, "v=0\r\n"));
  expect(message).toMatchObject({ is: "request", method: "INVITE", uri: "sip:1002@santral.example", body: "v=0\r\n" });
  expect(topViaOf(message)).toMatchObject({ transport: "UDP", host: "192.0.2.14", port: 5062, branch: "z9hG4bK776" });
  expect(tagOf(fromOf(message))).toBe("9fx");
  expect(tagOf(toOf(message))).toBeUndefined();
  expect(callIdOf(message)).toBe("38482@192.0.2.14");
  expect(cseqOf(message)).toEqual({ number: 1, method: "INVITE" });
});

test("compact and oddly spelled names become the canonical ones, unknown ones stay", () => {
  const message = understood(invite({ cOnTaCt: "<sip:a@b>", k: "timer", "x-Own": "yes", "call-info": "<sip:a@b>" }));
  expect(message.headers.slice(-4).map(({ name }) => name)).toEqual(["Contact", "Supported", "x-Own", "Call-Info"]);
});

test("folded lines are joined by one blank", () => {
  expect(headerOf(understood(invite({ Subject: "one\r\n \t two\r\n\tthree  " })), "Subject")).toBe("one two three");
});

test("each physical header stays one entry, and the getters split lists", () => {
  const message = understood(
    invite({ Via: "SIP/2.0/TCP a.example;branch=z9hG4bK1, SIP/2.0/UDP b.example\r\nVia: SIP/2.0/TLS c.example" }),
  );
  expect(headersOf(message, "Via")).toHaveLength(2);
  expect(vias(message)).toMatchObject([{ host: "a.example" }, { host: "b.example" }, { host: "c.example" }]);
});

test("empty lines before the message and octets after its body are forgiven on a datagram", () => {
  expect(understood(`\r\n\r\n${invite({ "Content-Length": "3" }, "abcdef")}`).body).toBe("abc");
});

test.each([
  ["a length that is no number", { "Content-Length": "x" }],
  ["a negative length", { "Content-Length": "-1" }],
  ["a length with a plus sign", { "Content-Length": "+1" }],
  ["a length in hex", { "Content-Length": "0x1" }],
  ["an empty length", { "Content-Length": "" }],
  ["a length longer than the datagram", { "Content-Length": "4" }],
  ["two lengths", { "Content-Length": "1\r\nl: 1" }],
  ["no To", { To: undefined }],
  ["no From", { From: undefined }],
  ["no Call-ID", { "Call-ID": undefined }],
  ["a Call-ID with a blank", { "Call-ID": "a b" }],
  ["no CSeq", { CSeq: undefined }],
  ["two CSeqs", { CSeq: "1 INVITE\r\nCSeq: 2 INVITE" }],
  ["a CSeq of 2^31", { CSeq: "2147483648 INVITE" }],
  ["a CSeq of another method", { CSeq: "1 BYE" }],
  ["a CSeq without a method", { CSeq: "1" }],
  ["two Max-Forwards", { "Max-Forwards": "1\r\nMax-Forwards: 2" }],
  ["a quote that never closes", { To: '"Mr. Watson <sip:a@b>' }],
  ["an address without its bracket", { To: "<sip:a@b" }],
  ["a bare carriage return", { Subject: "a\rInjected: b" }],
  ["a bare line feed", { Subject: "a\nInjected: b" }],
  ["a name with a blank in it", { "Sub ject": "a" }],
])("a request with %s is refused with 400", (_, changes) => {
  expect(refused(invite(changes, "abc"))).toMatchObject({ status: 400, answerable: true });
});

test("a request without a Via, and an ACK, are dropped: nobody can be answered", () => {
  expect(refused(invite({ Via: undefined })).answerable).toBe(false);
  const ack = invite({ CSeq: "x" }).replace("INVITE", "ACK");
  expect(refused(ack).answerable).toBe(false);
});

test("a refused request holds what a response copies, once", () => {
  const parsed = parseMessage(invite({ To: "<sip:a@b>\r\nTo: <sip:c@d>", Subject: "long" }));
  if ("message" in parsed || !parsed.request) throw new Error("it can be answered");
  expect(parsed.request.headers.map(({ name }) => name)).toEqual(["Via", "From", "To", "Call-ID", "CSeq"]);
});

test("another version of SIP is refused by its own status", () => {
  expect(refused(invite().replace("SIP/2.0\r\n", "SIP/3.0\r\n"))).toMatchObject({ status: 505, answerable: true });
  expect(understood(invite().replace("SIP/2.0\r\n", "sip/2.0\r\n"))).toMatchObject({ method: "INVITE" });
});

test.each(["SIP/2.0 99 x", "SIP/2.0 700 x", "SIP/2.0 2000 x", "SIP/2.0 20", "SIP/2.0  200 OK", "SIP/7.0 200 OK"])(
  "the status line %j is refused without an answer",
  (line) => expect(refused(text([line, ...LINES.slice(1)]))).toMatchObject({ answerable: false }),
);

test("a response is read with any reason, or none", () => {
  expect(understood(text(["SIP/2.0 200 All right", ...LINES.slice(1)]))).toMatchObject({ reason: "All right" });
  expect(understood(text(["SIP/2.0 486", ...LINES.slice(1)]))).toMatchObject({ status: 486, reason: "" });
});

test("whatever could be made to grow has a limit", () => {
  expect(refused(invite({}, "x".repeat(LIMITS.message)))).toMatchObject({ status: 513 });
  expect(refused(invite({ Subject: "x".repeat(LIMITS.header) })).malformed).toBe("header too long");
  expect(refused(invite({ Subject: `a${"\r\n b".repeat(12_000)}` })).malformed).toBe("header too long");
  expect(refused(invite({ Subject: `a${"\r\nX: y".repeat(LIMITS.headers)}` })).malformed).toBe("too many headers");
  expect(refused(`INVITE sip:${"a".repeat(LIMITS.header)} SIP/2.0\r\n\r\n`).status).toBe(414);
});

test.each([
  "",
  "\r\n",
  "\r\n\r\n\r\n\r\n",
  "x",
  "INVITE",
  "INVITE sip:a SIP/2.0",
  "SIP/2.0 200 OK\r\n",
  "\0\0\0\0",
  "GET / HTTP/1.1\r\n\r\n",
])("%j is no message", (octets) => expect(refused(octets)).toMatchObject({ answerable: false }));
