// What RFC 4475 says of each of its messages.

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { dialogAsCallee } from "../../src/sip/dialog.ts";
import { callIdOf, fromOf, recordRoutesOf, toOf } from "../../src/sip/headers/addresses.ts";
import { acceptOf, contentTypeOf } from "../../src/sip/headers/content.ts";
import { cseqOf } from "../../src/sip/headers/cseq.ts";
import { maxForwardsOf } from "../../src/sip/headers/max-forwards.ts";
import { parseNameAddress, preferenceOf, tagOf } from "../../src/sip/headers/name-address.ts";
import { requireOf } from "../../src/sip/headers/token-lists.ts";
import { MAGIC_COOKIE, topViaOf } from "../../src/sip/headers/via.ts";
import { headerOf, headersOf } from "../../src/sip/message/message.ts";
import { hasParameter, parameterOf, splitList } from "../../src/sip/message/parameters.ts";
import { parseUri, printUri } from "../../src/sip/message/uri.ts";
import { sameUriText } from "../../src/sip/message/uri-equality.ts";
import { partsOf } from "../../src/sip/reading/multipart.ts";
import { openFraming } from "../../src/sip/reading/stream.ts";
import { serverKey } from "../../src/sip/transaction/key.ts";
import { contacts, good, requestUri, type Torture, uriOf, vias } from "./sip-torture.ts";

const METHODS = "INVITE, ACK, BYE, CANCEL, OPTIONS, REGISTER, MESSAGE, SUBSCRIBE, NOTIFY, REFER, INFO";

export const rfc4475: Record<string, Torture> = {
  wsinv: {
    verdict: "understood",
    why: "3.1.1.1: all treat it as well formed; an endpoint ignores the header it does not know.",
    understood(message) {
      expect(uriOf(requestUri(message))).toMatchObject({ user: "vivekg", host: "chair-dnrc.example.com" });
      expect(uriOf(requestUri(message)).parameters).toEqual([{ name: "unknownparam", value: undefined }]);
      expect(toOf(message).uri).toBe("sip:vivekg@chair-dnrc.example.com");
      expect(tagOf(toOf(message))).toBe("1918181833n");
      expect(fromOf(message)).toMatchObject({ display: 'J Rosenberg \\"', uri: "sip:jdrosen@example.com" });
      expect(tagOf(fromOf(message))).toBe("98asjd8");
      expect(maxForwardsOf(message)).toBe(68);
      expect(callIdOf(message)).toBe("wsinv.ndaksdj@192.0.2.1");
      expect(cseqOf(message)).toEqual({ number: 9, method: "INVITE" });
      expect(vias(message).map(({ transport, host, branch }) => [transport, host, branch])).toEqual([
        ["UDP", "192.0.2.2", "390skdjuw"],
        ["TCP", "spindle.example.com", "z9hG4bK9ikj8"],
        ["UDP", "192.168.255.111", "z9hG4bK30239"],
      ]);
      expect(headerOf(message, "Subject")).toBe("");
      expect(headerOf(message, "NewFangledHeader")).toBe("newfangled value continued newfangled value");
      expect(headerOf(message, "UnknownHeaderWithUnusualValue")).toBe(";;,,;;,;");
      const [route] = headersOf(message, "Route").map((value) => good(parseNameAddress(value)));
      expect(uriOf(route!.uri).host).toBe("services.example.com");
      expect(hasParameter(uriOf(route!.uri).parameters, "lr")).toBe(true);
      const [contact] = contacts(message);
      expect(contact).toMatchObject({ display: 'Quoted string ""', uri: "sip:jdrosen@example.com" });
      expect(parameterOf(contact!.parameters, "newparam")).toBe("newvalue");
      expect(hasParameter(contact!.parameters, "secondparam")).toBe(true);
      expect(preferenceOf(contact!)).toBe(0.33);
      expect(message.body).toHaveLength(150);
    },
  },
  intmeth: {
    verdict: "501",
    why: "3.1.1.2: an endpoint answers 501 and lists in Allow what it understands.",
    answered: { Allow: METHODS },
    understood(message) {
      const method = "!interesting-Method0123456789_*+`.%indeed'~";
      expect(message).toMatchObject({ method });
      expect(cseqOf(message)).toEqual({ number: 139122385, method });
      const uri = uriOf(requestUri(message));
      expect(uri.user).toBe("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
      expect(uri.password).toBe("&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
      expect(uri.host).toBe("example.com");
      expect(toOf(message).display).toBe("BEL:\x07 NUL:\x00 DEL:\x7f");
      expect(fromOf(message).display).toBe("token1~` token2'+_ token3*%!.-");
      expect(tagOf(fromOf(message))).toBe("_token~1'+`*%!-.");
      const text = parameterOf(fromOf(message).parameters, "fromparam''~+*_!.-%");
      expect(Buffer.from(text ?? "", "latin1").toString("utf8")).toBe("работающий");
      expect(callIdOf(message)).toBe("intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{");
      expect(topViaOf(message).branch).toBe("z9hG4bK-.!%66*_+`'~");
      expect(Buffer.from(headerOf(message, "extensionHeader-!.%*+_`'~") ?? "", "latin1").toString("utf8")).toContain(
        "大停電",
      );
    },
  },
  esc01: {
    verdict: "understood",
    why: "3.1.1.3: must be accepted, with % unescaped in addresses only, and once.",
    understood(message) {
      expect(uriOf(requestUri(message))).toMatchObject({ user: "sips:user@example.com", host: "example.net" });
      expect(uriOf(toOf(message).uri).user).toBe("user");
      expect(sameUriText(toOf(message).uri, "sip:user@example.com")).toBe(true);
      expect(uriOf(fromOf(message).uri).user).toBe("I have spaces");
      const contact = uriOf(contacts(message)[0]!.uri);
      expect(contact.user).toBe("caller");
      expect(contact.parameters).toEqual([
        { name: "lr", value: undefined },
        { name: "name", value: "value%41" },
      ]);
      expect(uriOf(printUri(contact))).toEqual(contact);
    },
  },
  escnull: {
    verdict: "understood",
    why: "3.1.1.4: must be accepted, no user name cut short, two contacts registered.",
    understood(message) {
      expect(uriOf(toOf(message).uri).user).toBe("null-\0-null");
      expect(contacts(message).map(({ uri }) => uriOf(uri).user)).toEqual(["\0", "\0\0"]);
    },
  },
  esc02: {
    verdict: "501",
    why: "3.1.1.5: well formed; an endpoint answers 501, for % is no escape in a method.",
    answered: { Allow: METHODS },
    understood(message) {
      expect(message).toMatchObject({ method: "RE%47IST%45R" });
      expect(toOf(message).display).toBe("%Z%45");
      expect(contacts(message).map(({ uri }) => uriOf(uri).user)).toEqual(["alias1", "alias3"]);
      expect(headerOf(message, "C%6Fntact")).toBe("<sip:alias2@host2.example.com>");
      expect(topViaOf(message).branch).toBe("z9hG4bK209%fzsnel234");
    },
  },
  lwsdisp: {
    verdict: "understood",
    why: "3.1.1.6: the grammar forbids it by mistake; should be accepted.",
    understood(message) {
      expect(fromOf(message)).toMatchObject({ display: "caller", uri: "sip:caller@example.com" });
      expect(tagOf(fromOf(message))).toBe("323");
    },
  },
  longreq: {
    verdict: "understood",
    why: "3.1.1.7: well formed.",
    understood(message) {
      expect(vias(message)).toHaveLength(34);
      expect(vias(message).at(-1)?.branch).toHaveLength(215);
      expect(uriOf(toOf(message).uri).port).toBe(6000);
      expect(tagOf(fromOf(message))).toMatch(/^(12)?(982)+/);
      expect(callIdOf(message)).toMatch(/^longreq\.one(really)+longcallid$/);
      expect(message.body).toHaveLength(150);
    },
  },
  dblreq: {
    verdict: "understood",
    why: "3.1.1.8: the REGISTER is handled, the octets after it are noise.",
    understood(message) {
      expect(message).toMatchObject({ method: "REGISTER", body: "" });
      const octets = readFileSync("test/fixtures/rfc4475/dblreq.dat", "latin1");
      // The second body is longer than it says, so what follows it is nobody's message.
      const framed = openFraming().push(octets).slice(0, 2);
      expect(framed.map((one) => ("message" in one ? headersOf(one.message, "CSeq")[0] : one))).toEqual([
        "8 REGISTER",
        "8 INVITE",
      ]);
    },
  },
  semiuri: {
    verdict: "understood",
    why: "3.1.1.9: accepted; the parameter and the escaped @ are of the user part.",
    understood(message) {
      const uri = uriOf(requestUri(message));
      expect(uri).toMatchObject({ user: "user;par=u@example.net", host: "example.com", parameters: [] });
      expect(good(acceptOf(message))?.map(({ type }) => type)).toEqual([
        "application/sdp",
        "application/pkcs7-mime",
        "multipart/mixed",
        "multipart/signed",
        "message/sip",
        "message/sipfrag",
      ]);
    },
  },
  transports: {
    verdict: "understood",
    why: "3.1.1.10: must be accepted; nobody cares by what the hops before the last came.",
    understood(message) {
      expect(vias(message).map(({ transport }) => transport)).toEqual(["UDP", "SCTP", "TLS", "UNKNOWN", "TCP"]);
    },
  },
  mpart01: {
    verdict: "understood",
    why: "3.1.1.11: must be accepted as well formed.",
    understood(message) {
      expect(message.body).toHaveLength(553);
      const parts = partsOf(message);
      expect(parts.map((part) => good(contentTypeOf(part))?.type)).toEqual(["text/plain", "application/octet-stream"]);
      expect(parts[0]?.body).toBe("Hello");
      expect(parts[1]?.body).toHaveLength(342);
      expect(hasParameter(topViaOf(message).parameters, "rport")).toBe(true);
    },
  },
  unreason: {
    verdict: "understood",
    why: "3.1.1.12: must be accepted.",
    understood(message) {
      if (message.is !== "response") throw new Error("a request");
      expect(message.status).toBe(200);
      expect(Buffer.from(message.reason, "latin1").toString("utf8")).toBe(
        "= 2**3 * 5**2 но сто девяносто девять - простое",
      );
    },
  },
  noreason: {
    verdict: "understood",
    why: "3.1.1.13: must be accepted.",
    understood(message) {
      expect(message).toMatchObject({ status: 100, reason: "" });
    },
  },
  badinv01: { verdict: "400", why: "3.1.2.1: should be answered 400." },
  clerr: { verdict: "400", why: "3.1.2.2: over UDP should be answered 400." },
  ncl: {
    verdict: "400",
    why: "3.1.2.3: should be answered with an error, which is left open; the rest of the datagram is discarded.",
  },
  scalar02: { verdict: "400", why: "3.1.2.4: should be answered 400, for the CSeq." },
  scalarlg: { verdict: "dropped", why: "3.1.2.5: a response like this is discarded." },
  quotbal: {
    verdict: "400",
    why: "3.1.2.6: should be answered 400; guessing the missing quote is left open, and we do not guess.",
  },
  ltgtruri: { verdict: "400", why: "3.1.2.7: 400 is always reasonable; ignoring the brackets is left open." },
  lwsruri: { verdict: "400", why: "3.1.2.8: should be answered 400; ignoring the blank is left open." },
  lwsstart: { verdict: "400", why: "3.1.2.9: may be refused as malformed, or the blanks ignored; we refuse." },
  trws: { verdict: "400", why: "3.1.2.10: may be refused as malformed, or the blanks ignored; we refuse." },
  escruri: { verdict: "400", why: "3.1.2.11: 400 is acceptable; ignoring the headers is left open." },
  baddate: {
    verdict: "understood",
    why: "3.1.2.12: may be refused, but should not be by whoever has no use for the date, and we have none.",
  },
  regbadct: { verdict: "400", why: "3.1.2.13: 400 is reasonable; guessing the brackets is left open." },
  badaspec: { verdict: "400", why: "3.1.2.14: 400 is reasonable; ignoring the blanks is left open." },
  baddn: { verdict: "400", why: "3.1.2.15: 400 is always reasonable; guessing the quotes is left open." },
  badvers: { verdict: "505", why: "3.1.2.16: should be answered 505." },
  mismatch01: { verdict: "400", why: "3.1.2.17: answered 400." },
  mismatch02: { verdict: "501", why: "3.1.2.18: should be answered 501; 400 would be acceptable." },
  bigcode: { verdict: "dropped", why: "3.1.2.19: should be dropped." },
  badbranch: {
    verdict: "understood",
    why: "3.2.1: 400, or matched by the older rules; we match.",
    understood(message) {
      // The cookie with nothing behind it names no transaction, so matching falls back to the older rules.
      if (message.is !== "request") throw new Error("a response");
      expect(topViaOf(message).branch).toBe(MAGIC_COOKIE);
      expect(serverKey(message, topViaOf(message))).toContain(callIdOf(message));
    },
  },
  insuf: { verdict: "400", why: "3.3.1: must do no harm, and is ideally answered 400." },
  unkscm: { verdict: "416", why: "3.3.2: answered 416, whatever stands in To." },
  novelsc: { verdict: "416", why: "3.3.3: 416 of who never takes such an address, 404 of who might; we never do." },
  unksm2: {
    verdict: "400",
    why: "3.3.4: well formed; a registrar answers 400, for To must be a SIP address.",
    understood(message) {
      expect(parseUri(toOf(message).uri)).toMatchObject({ scheme: "other", name: "isbn" });
      expect(fromOf(message).uri).toBe("http://www.example.com");
      expect(contacts(message)[0]?.uri).toBe("name:John_Smith");
    },
  },
  bext01: {
    verdict: "420",
    why: "3.3.5: answered 420 with what is unsupported: of Require, for we are no proxy.",
    answered: { Unsupported: "nothingSupportsThis, nothingSupportsThisEither" },
    understood(message) {
      expect(requireOf(message)).toEqual(["nothingSupportsThis", "nothingSupportsThisEither"]);
      expect(headersOf(message, "Proxy-Require").flatMap(splitList)).toEqual([
        "noProxiesSupportThis",
        "norDoAnyProxiesSupportThis",
      ]);
    },
  },
  invut: {
    verdict: "415",
    why: "3.3.6: an endpoint answers 415.",
    answered: { Accept: "application/sdp, multipart/mixed, text/plain, application/octet-stream" },
    understood(message) {
      expect(contentTypeOf(message)).toEqual({ type: "application/unknownformat", parameters: [] });
    },
  },
  regaut01: { verdict: "401", why: "3.3.7: a registrar that authenticates answers 401 with a challenge of its own." },
  multi01: { verdict: "400", why: "3.3.8: answered 400." },
  mcl01: { verdict: "400", why: "3.3.9: should be answered with an error, which is left open." },
  bcast: {
    verdict: "dropped",
    why: "3.3.10: well formed; an endpoint should discard it.",
    understood(message) {
      expect(vias(message).map(({ host }) => host)).toEqual(["192.0.2.198", "255.255.255.255"]);
    },
  },
  zeromf: {
    verdict: "understood",
    why: "3.3.11: an endpoint serves it all the same; only who passes it on answers 483.",
  },
  cparam01: {
    verdict: "understood",
    why: "3.3.12: registers; the parameter is of the contact, not of its address.",
    understood(message) {
      const [contact] = contacts(message);
      expect(contact).toMatchObject({ uri: "sip:+19725552222@gw1.example.net" });
      expect(hasParameter(contact!.parameters, "unknownparam")).toBe(true);
    },
  },
  cparam02: {
    verdict: "understood",
    why: "3.3.13: registers; the parameter is of the address.",
    understood(message) {
      const [contact] = contacts(message);
      expect(contact?.parameters).toEqual([]);
      expect(hasParameter(uriOf(contact!.uri).parameters, "unknownparam")).toBe(true);
    },
  },
  regescrt: {
    verdict: "understood",
    why: "3.3.14: registers; the header stays in the address.",
    understood(message) {
      expect(uriOf(contacts(message)[0]!.uri).headers).toEqual([{ name: "Route", value: "<sip:sip.example.com>" }]);
    },
  },
  sdp01: {
    verdict: "406",
    why: "3.3.15: 406 with a warning 399, or 400; ours is 406.",
    answered: { Warning: '399 santral "Accept leaves no room for application/sdp"' },
  },
  inv2543: {
    verdict: "understood",
    why: "3.4.1: should be accepted by who wants to get on with RFC 2543.",
    understood(message) {
      expect(topViaOf(message).branch).toBe("");
      expect(tagOf(fromOf(message))).toBeUndefined();
      const [route] = good(recordRoutesOf(message));
      expect(parameterOf(uriOf(route!.uri).parameters, "maddr")).toBe("ss1.example.com");
      expect(parameterOf(toOf(message).parameters, "user")).toBe("phone");
      if (message.is !== "request") throw new Error("a response");
      const source = { transport: "udp", address: "192.0.2.7", port: 5060, listener: "one" } as const;
      expect(good(dialogAsCallee(message, "ours", source)).remoteTag).toBe("");
      expect(message.body).toHaveLength(105);
    },
  },
  // Two messages that travel with the collection and are not in the RFC: no CSeq, and no version.
  badcseq: { verdict: "400", why: "Not of the RFC: no CSeq." },
  test: { verdict: "dropped", why: "Not of the RFC: no version." },
};
