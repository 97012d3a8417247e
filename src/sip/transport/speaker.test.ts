import { expect, test } from "vitest";
import { shapesAmong } from "../../../test/ground/heap.ts";
import type { Request } from "../message/message.ts";
import { behindEdge, speakerOf } from "./speaker.ts";
import type { Source } from "./transport.ts";

const edge: Source = { transport: "udp", address: "10.0.0.5", port: 5060, listener: "udp" };

const by = (...vias: string[]): Request => ({
  is: "request",
  method: "REGISTER",
  uri: "sip:office.example",
  headers: vias.map((value) => ({ name: "Via", value })),
  body: "",
});

const OWN = "SIP/2.0/UDP 10.0.0.5;branch=z9hG4bKedge";

test.each([
  [
    "what it noted",
    ["SIP/2.0/UDP 192.168.1.7:5062;branch=z9hG4bKa;received=203.0.113.7;rport=40001"],
    "203.0.113.7",
    40_001,
  ],
  ["what the sender said rightly", ["SIP/2.0/TCP 203.0.113.8:5070;branch=z9hG4bKa"], "203.0.113.8", 5_070],
  ["an IPv6 address in its one spelling", ["SIP/2.0/UDP [2001:db8:0::1]:5060;branch=z9hG4bKa"], "2001:db8::1", 5_060],
  ["a name that nobody resolved, as itself", ["SIP/2.0/UDP Phone.local;branch=z9hG4bKa"], "phone.local", 5_060],
  [
    "the hop right before the edge, whatever that claims to have come before it",
    [
      "SIP/2.0/UDP 198.51.100.9;branch=z9hG4bKb;received=198.51.100.9;rport=5060",
      "SIP/2.0/UDP 10.0.0.5;branch=z9hG4bKa;received=127.0.0.1;rport=5060",
    ],
    "198.51.100.9",
    5_060,
  ],
])("behind an edge the speaker is %s", (_, below, address, port) => {
  const source = behindEdge(by(OWN, ...below), edge);
  expect(speakerOf(source)).toEqual({ address, port });
  expect(source).toMatchObject(edge);
  expect(speakerOf(behindEdge(by([OWN, ...below].join(", ")), edge))).toEqual({ address, port });
});

test("what an edge says of its own accord is the edge's", () => {
  expect(behindEdge(by(OWN), edge)).toBe(edge);
  expect(speakerOf(edge)).toEqual({ address: "10.0.0.5", port: 5_060 });
});

test("however many speak behind an edge, whoever looks at where they are finds one hidden class", () => {
  const sources = Array.from({ length: 300 }, (_, at) =>
    behindEdge(by(OWN, `SIP/2.0/UDP 203.0.113.${at % 200}:5060;branch=z9hG4bKa`), { ...edge }),
  );
  expect(shapesAmong(sources)).toBe(1);
});
