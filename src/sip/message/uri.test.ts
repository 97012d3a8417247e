import { expect, test } from "vitest";
import { unescapeOctets } from "./escape.ts";
import { isMalformed } from "./malformed.ts";
import { escapeUser, parseSipUri, parseUri, printUri } from "./uri.ts";
import { sameUriText } from "./uri-equality.ts";

test("an address is taken apart", () => {
  expect(
    parseUri("SIPS:al%69ce:s%3Acret@Santral.Example:5061;Transport=TLS;lr?Subject=a%20b&Route=%3Csip:p%3E"),
  ).toEqual({
    scheme: "sips",
    user: "alice",
    password: "s:cret",
    host: "santral.example",
    port: 5061,
    parameters: [
      { name: "transport", value: "TLS" },
      { name: "lr", value: undefined },
    ],
    headers: [
      { name: "Subject", value: "a b" },
      { name: "Route", value: "<sip:p>" },
    ],
  });
});

test.each([
  "sip:santral.example",
  "sip:1001@santral.example:5060;transport=tcp",
  "sip:+905321234567;ext=5@192.0.2.1;user=phone",
  "sip:a%23b@[2001:db8::1]:5062",
  "sip:%00@host",
  "sips:a:b@c?X=y&Z=%22",
  "tel:+905321234567;phone-context=example.com",
])("%s is printed as it was read", (text) => {
  const uri = parseUri(text);
  if (isMalformed(uri)) throw new Error(uri.malformed);
  expect(printUri(uri)).toBe(text);
});

test.each([
  ["no scheme", "1001@santral.example"],
  ["an empty user", "sip:@host"],
  ["a bad escape", "sip:a%4@host"],
  ["a quote in the user", 'sip:a"b@host'],
  ["two at signs", "sip:a@b@c"],
  ["no host", "sip:a@"],
  ["no host at all", "sip:"],
  ["a port that is none", "sip:a@b:x"],
  ["a port too large", "sip:a@b:65536"],
  ["an IPv6 address without brackets", "sip:2001:db8::10"],
  ["an IPv6 reference that never closes", "sip:a@[2001:db8::1"],
  ["text after the reference", "sip:a@[2001:db8::1]x"],
  ["a parameter without a name", "sip:a@b;=c"],
  ["an empty parameter", "sip:a@b;;c"],
  ["a blank", "sip:a@b; c"],
  ["a number without digits", "tel:+"],
  ["a plus inside the number", "tel:12+3"],
])("an address with %s is malformed", (_, text) => {
  expect(parseUri(text)).toHaveProperty("malformed");
});

test("a telephone number loses its visual separators", () => {
  expect(parseUri("tel:+90(532)123-45.67")).toMatchObject({ scheme: "tel", number: "+905321234567" });
});

test("other schemes are known as such", () => {
  expect(parseUri("urn:service:sos")).toEqual({ scheme: "other", name: "urn", text: "urn:service:sos" });
  expect(parseSipUri("tel:112")).toHaveProperty("malformed");
});

// The examples of RFC 3261 19.1.4.
test.each([
  ["sip:%61lice@atlanta.com;transport=TCP", "sip:alice@AtLanTa.CoM;Transport=tcp"],
  ["sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5"],
  ["sip:carol@chicago.com;security=on", "sip:carol@chicago.com;newparam=5"],
  [
    "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com",
    "sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com",
  ],
  [
    "sip:alice@atlanta.com?subject=project%20x&priority=urgent",
    "sip:alice@atlanta.com?priority=urgent&subject=project%20x",
  ],
  ["tel:+1-201-555-0123", "tel:+12015550123"],
])("%s equals %s", (one, other) => expect(sameUriText(one, other)).toBe(true));

test.each([
  ["SIP:ALICE@AtLanTa.CoM;Transport=udp", "sip:alice@AtLanTa.CoM;Transport=UDP"],
  ["sip:bob@biloxi.com", "sip:bob@biloxi.com:5060"],
  ["sip:bob@biloxi.com", "sip:bob@biloxi.com;transport=udp"],
  ["sip:bob@biloxi.com", "sip:bob@biloxi.com:6000;transport=tcp"],
  ["sip:carol@chicago.com", "sip:carol@chicago.com?Subject=next%20meeting"],
  ["sip:bob@phone21.boxesbybob.com", "sip:bob@192.0.2.4"],
  ["sip:carol@chicago.com;security=on", "sip:carol@chicago.com;security=off"],
  ["sip:a@b", "sips:a@b"],
  ["sip:123@b", "tel:123"],
])("%s differs from %s", (one, other) => expect(sameUriText(one, other)).toBe(false));

test("a user part survives its escapes", () => {
  const octets = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");
  expect(unescapeOctets(escapeUser(octets))).toBe(octets);
  expect(escapeUser("0532 #*")).toBe("0532%20%23*");
  expect(() => escapeUser("ş")).toThrow("UTF-8");
});
