// What RFC 5118 says of each of its messages: IPv6 in addresses, in Via and in descriptions.

import { expect } from "vitest";
import { contactsOf, toOf } from "../../src/sip/headers/addresses.ts";
import { receivedOf, topViaOf } from "../../src/sip/headers/via.ts";
import type { Message } from "../../src/sip/message/message.ts";
import { sameUriText } from "../../src/sip/message/uri-equality.ts";
import { type Torture, uriOf, vias } from "./sip-torture.ts";

const target = (message: Message) => uriOf(message.is === "request" ? message.uri : "");

export const rfc5118: Record<string, Torture> = {
  "ipv6-good": {
    verdict: "understood",
    why: "4.1: well formed.",
    understood(message) {
      expect(target(message)).toMatchObject({ user: undefined, host: "[2001:db8::10]", port: undefined });
      expect(topViaOf(message)).toMatchObject({ host: "[2001:db8::9:1]", port: undefined });
      expect(contactsOf(message)).toMatchObject([{ display: "Caller", uri: "sip:caller@[2001:db8::1]" }]);
    },
  },
  "ipv6-bad": { verdict: "400", why: "4.2: should be answered 400." },
  "port-ambiguous": {
    verdict: "understood",
    why: "4.3: well formed, and the port is the end of the address, whatever was meant.",
    understood: (message) => expect(target(message)).toMatchObject({ host: "[2001:db8::10:5070]", port: undefined }),
  },
  "port-unambiguous": {
    verdict: "understood",
    why: "4.4: well formed.",
    understood: (message) => expect(target(message)).toMatchObject({ host: "[2001:db8::10]", port: 5070 }),
  },
  "via-received-param-with-delim": {
    verdict: "understood",
    why: "4.5: the grammar forbids the brackets; must be read all the same.",
    understood: (message) => expect(receivedOf(topViaOf(message))).toBe("2001:db8::9:255"),
  },
  "via-received-param-no-delim": {
    verdict: "understood",
    why: "4.5: valid, must be read.",
    understood: (message) => expect(receivedOf(topViaOf(message))).toBe("2001:db8::9:255"),
  },
  "ipv6-in-sdp": {
    verdict: "understood",
    why: "4.6: valid.",
    understood: (message) => expect(message.body).toContain("\r\nc=IN IP6 2001:db8::20\r\n"),
  },
  "mult-ip-in-header": {
    verdict: "understood",
    why: "4.7: valid.",
    understood(message) {
      expect(vias(message).map(({ transport, host, port }) => [transport, host, port])).toEqual([
        ["UDP", "[2001:db8::9:1]", 6050],
        ["UDP", "192.0.2.1", undefined],
        ["TCP", "[2001:db8::9:255]", undefined],
      ]);
      expect(receivedOf(vias(message)[2]!)).toBe("192.0.2.200");
    },
  },
  "mult-ip-in-sdp": {
    verdict: "understood",
    why: "4.8: valid.",
    understood: (message) => expect(message.body).toContain("c=IN IP6 2001:db8::1\r\n"),
  },
  "ipv4-mapped-ipv6": {
    verdict: "understood",
    why: "4.9: well formed, must be read.",
    understood(message) {
      expect(topViaOf(message)).toMatchObject({ host: "[::ffff:192.0.2.10]", port: 19823 });
      expect(contactsOf(message)).toMatchObject([{ uri: "sip:ted@[::ffff:192.0.2.2]" }]);
    },
  },
  "ipv6-bug-abnf-3-colons": {
    verdict: "understood",
    why: "4.10: the colon too many comes of the grammar and must be tolerated.",
    understood(message) {
      expect(target(message).host).toBe("[2001:db8::192.0.2.1]");
      expect(sameUriText(toOf(message).uri, "sip:user@[2001:db8::192.0.2.1]")).toBe(true);
    },
  },
  "ipv6-correct-abnf-2-colons": {
    verdict: "understood",
    why: "4.10: the correct form.",
    understood: (message) => expect(target(message).host).toBe("[2001:db8::192.0.2.1]"),
  },
};
