import { expect, test } from "vitest";
import { sipAddress } from "../../console/pages/extensions/sip-address.ts";

test("the address of an account names its domain, its server where that is elsewhere, the port and the transport", () => {
  const account = { number: "1000", sipDomain: "ofis.example.com" };
  const here = { host: "ofis.example.com", port: 5060, transport: "tcp" } as const;
  const shown: [string, Parameters<typeof sipAddress>[0]][] = [
    ["sip:1000@ofis.example.com;transport=tcp", { ...account, door: here }],
    ["sip:1000:a%3Ab%40c%2F%3B@ofis.example.com;transport=tcp", { ...account, password: "a:b@c/;", door: here }],
    ["sip:1000@ofis.example.com:5070;transport=udp", { ...account, door: { ...here, port: 5070, transport: "udp" } }],
    ["sip:1000@ofis.example.com;transport=tls", { ...account, door: { ...here, port: 5061, transport: "tls" } }],
    [
      "sip:1000:x@ofis.example.com:5080;transport=tcp;maddr=192.0.2.7",
      { ...account, password: "x", door: { ...here, host: "192.0.2.7", port: 5080 } },
    ],
    [
      "sip:1000@ofis.example.com;transport=udp;maddr=[2001:db8::7]",
      { ...account, door: { host: "2001:db8::7", port: 5060, transport: "udp" } },
    ],
  ];
  for (const [text, given] of shown) expect(sipAddress(given)).toBe(text);
});
