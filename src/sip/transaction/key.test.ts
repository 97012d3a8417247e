import { expect, test } from "vitest";
import { requestTo } from "../../../test/phones/sip-phones.ts";
import { topViaOf, type Via } from "../headers/via.ts";
import type { Request } from "../message/message.ts";
import { serverKey } from "./key.ts";

function keyOf(method: string, via: string, more: Partial<{ to: string; callId: string }> = {}) {
  const request: Request = { ...requestTo(method, { callId: more.callId ?? "1" }), method };
  request.headers = [
    { name: "Via", value: via },
    ...request.headers.map((header) => (header.name === "From" ? { ...header, value: "<sip:a@b>;tag=1" } : header)),
  ];
  const top: Via = topViaOf(request);
  return { key: serverKey(request, top), invite: serverKey(request, top, "INVITE") };
}

test("branch, sent-by and method make a transaction", () => {
  const one = keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx").key;
  expect(keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1:5060;rport;branch=z9hG4bKx").key).toBe(one);
  expect(keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1:5061;branch=z9hG4bKx").key).not.toBe(one);
  expect(keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKy").key).not.toBe(one);
  expect(keyOf("BYE", "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx").key).not.toBe(one);
});

test("an ACK is found under its INVITE, and so is what a CANCEL cancels", () => {
  const invite = keyOf("INVITE", "SIP/2.0/UDP Host.Example;branch=z9hG4bKx").key;
  expect(keyOf("ACK", "SIP/2.0/UDP host.example;branch=z9hG4bKx").key).toBe(invite);
  expect(keyOf("CANCEL", "SIP/2.0/UDP host.example;branch=z9hG4bKx").invite).toBe(invite);
  expect(keyOf("CANCEL", "SIP/2.0/UDP host.example;branch=z9hG4bKx").key).not.toBe(invite);
});

test("senders of the old school, whose branch means nothing, are told apart by everything else", () => {
  const old = keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1;branch=1", { callId: "7" }).key;
  expect(keyOf("ACK", "SIP/2.0/UDP 192.0.2.1;branch=1", { callId: "7" }).key).toBe(old);
  expect(keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1;branch=1", { callId: "8" }).key).not.toBe(old);
  expect(keyOf("INVITE", "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK", { callId: "7" }).key).toContain(" 7 ");
});
