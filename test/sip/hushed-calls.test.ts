import { expect, test } from "vitest";
import { HushedCalls } from "../../src/sip/hushed-calls.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";

const bye = (callId: string) =>
  [
    "BYE sip:1000@127.0.0.1 SIP/2.0",
    "Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bK1",
    "From: <sip:1001@firm.example>;tag=a",
    "To: <sip:1000@firm.example>;tag=b",
    `Call-ID: ${callId}`,
    "CSeq: 2 BYE",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");

function isSilent(hushed: HushedCalls, callId: string): boolean {
  const parsed = parseMessage(bye(callId));
  if (!("message" in parsed)) throw new Error("unreadable");
  expect(hushed.isAbout(bye(callId))).toBe(hushed.isOf(parsed.message));
  return hushed.isOf(parsed.message);
}

test("of a call that has gone nothing is heard or said, and of the others everything", () => {
  const hushed = new HushedCalls();
  const speak = hushed.add("gone");
  expect(isSilent(hushed, "gone")).toBe(true);
  expect(isSilent(hushed, "here")).toBe(false);
  speak();
  expect(isSilent(hushed, "gone")).toBe(false);
});

test("one that came back and left again stays silent, though the first time is over", () => {
  const hushed = new HushedCalls();
  const first = hushed.add("gone");
  hushed.add("gone");
  first();
  expect(isSilent(hushed, "gone")).toBe(true);
});
