import { expect, test } from "vitest";
import { bindingAnswer, isStun } from "./stun.ts";

const octets = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
const hex = (text: string) => Buffer.from(text, "latin1").toString("hex");

// The transaction and addresses of RFC 5769 §2.2 and §2.3.
const TRANSACTION = "b7e7a701bc34d686fa87dfae";
const request = (length = "0000", attributes = "") => octets(`0001${length}2112a442${TRANSACTION}${attributes}`);

test("an IPv4 phone is told its address as RFC 5769 shows it", () => {
  const answer = bindingAnswer(request(), { address: "192.0.2.1", port: 32853 });
  expect(hex(answer!)).toBe(`0101000c2112a442${TRANSACTION}002000080001a147e112a643`);
});

test("an IPv6 phone too", () => {
  const answer = bindingAnswer(request(), { address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32853 });
  expect(hex(answer!)).toBe(`010100182112a442${TRANSACTION}002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9`);
  expect(hex(bindingAnswer(request(), { address: "::1", port: 1 })!).slice(56)).toBe(
    hex(octets("2112a442") + octets(TRANSACTION).slice(0, 11) + String.fromCharCode(0xae ^ 1)),
  );
});

test("attributes of a request are passed over", () => {
  expect(bindingAnswer(request("0008", "8022000474657374"), { address: "192.0.2.1", port: 1 })).toBeDefined();
});

test.each([
  octets(`011100002112a442${TRANSACTION}`),
  octets(`000100042112a442${TRANSACTION}`),
  octets(`000300002112a442${TRANSACTION}`),
])("what is no binding request gets no answer", (message) => {
  expect(bindingAnswer(message, { address: "192.0.2.1", port: 1 })).toBeUndefined();
});

test("no SIP message is taken for STUN", () => {
  expect(isStun(request())).toBe(true);
  expect(isStun("OPTIONS sip:a@b SIP/2.0\r\n\r\n")).toBe(false);
  expect(isStun("\r\n\r\n")).toBe(false);
  expect(isStun(octets("0001000000000000"))).toBe(false);
});
