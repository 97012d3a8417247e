import { expect, test } from "vitest";
import { faultIn } from "./strict-reading.ts";

const invite = (...lines: string[]) =>
  ["INVITE sip:1000@192.0.2.1 SIP/2.0", ...lines, "Content-Length: 0", "", ""].join("\r\n");

test.each([
  'From: "Ayşe \\"A\\" Yılmaz" <sip:1000@a.example>;tag=1',
  "Contact: <sip:santral@[2001:db8::1]:5060;transport=tcp>",
  "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1;rport",
  'P-Asserted-Identity: "Anonymous" <sip:anonymous@anonymous.invalid>',
  "Reason: Q.850;cause=16",
])("%s is read by somebody else's grammar", (line) => {
  expect(faultIn(invite(Buffer.from(line).toString("latin1")))).toBeUndefined();
});

test.each([
  "From: <sip:@a.example>;tag=1",
  'From: "no end <sip:1000@a.example>;tag=1',
  "Contact: <sip:@192.0.2.1>",
  "P-Asserted-Identity: <sip:@a.example>",
  "Diversion: <sip:@a.example>;reason=no-answer",
  "Referred-By: <sip:@a.example>",
  "Session-Expires: soon",
  "X Y: 1",
])("%s is refused", (line) => {
  expect(faultIn(invite(line))).toBe(line);
});
