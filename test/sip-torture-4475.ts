// What RFC 4475 says of each of its messages.

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { callIdOf, fromOf, recordRoutesOf, routesOf, toOf } from "../src/sip/headers/addresses.ts";
import { acceptOf, contentTypeOf } from "../src/sip/headers/content.ts";
import { cseqOf } from "../src/sip/headers/cseq.ts";
import { dateOf } from "../src/sip/headers/date.ts";
import { maxForwardsOf } from "../src/sip/headers/max-forwards.ts";
import { preferenceOf, tagOf } from "../src/sip/headers/name-address.ts";
import { hasParameter, parameterOf } from "../src/sip/headers/parameters.ts";
import { proxyRequireOf, requireOf } from "../src/sip/headers/token-lists.ts";
import { MAGIC_COOKIE, topViaOf } from "../src/sip/headers/via.ts";
import { headerOf, headersOf } from "../src/sip/message.ts";
import { partsOf } from "../src/sip/multipart.ts";
import { openFraming } from "../src/sip/stream.ts";
import { parseUri, printUri } from "../src/sip/uri.ts";
import { sameUriText } from "../src/sip/uri-equality.ts";
import { contacts, good, requestUri, type Torture, uriOf, vias } from "./sip-torture.ts";

export const rfc4475: Record<string, Torture> = {
  wsinv: {
    verdict: "understood",
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
      const [route] = good(routesOf(message));
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
    understood(message) {
      expect(uriOf(toOf(message).uri).user).toBe("null-\0-null");
      expect(contacts(message).map(({ uri }) => uriOf(uri).user)).toEqual(["\0", "\0\0"]);
    },
  },
  esc02: {
    verdict: "501",
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
    understood(message) {
      expect(fromOf(message)).toMatchObject({ display: "caller", uri: "sip:caller@example.com" });
      expect(tagOf(fromOf(message))).toBe("323");
    },
  },
  longreq: {
    verdict: "understood",
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
    understood(message) {
      expect(vias(message).map(({ transport }) => transport)).toEqual(["UDP", "SCTP", "TLS", "UNKNOWN", "TCP"]);
    },
  },
  mpart01: {
    verdict: "understood",
    understood(message) {
      expect(message.body).toHaveLength(553);
      const parts = partsOf(message);
      expect(parts.map(({ type }) => type?.type)).toEqual(["text/plain", "application/octet-stream"]);
      expect(parts[0]?.body).toBe("Hello");
      expect(parts[1]?.body).toHaveLength(342);
      expect(dateOf(message)).toBe(Date.UTC(2005, 9, 15, 4, 44, 56));
      expect(hasParameter(topViaOf(message).parameters, "rport")).toBe(true);
    },
  },
  unreason: {
    verdict: "understood",
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
    understood(message) {
      expect(message).toMatchObject({ status: 100, reason: "" });
    },
  },
  badinv01: { verdict: "400" },
  clerr: { verdict: "400" },
  ncl: { verdict: "400" },
  scalar02: { verdict: "400" },
  scalarlg: { verdict: "dropped" },
  quotbal: { verdict: "400" },
  ltgtruri: { verdict: "400" },
  lwsruri: { verdict: "400" },
  lwsstart: { verdict: "400" },
  trws: { verdict: "400" },
  escruri: { verdict: "400" },
  baddate: { verdict: "400" },
  regbadct: { verdict: "400" },
  badaspec: { verdict: "400" },
  baddn: { verdict: "400" },
  badvers: { verdict: "505" },
  mismatch01: { verdict: "400" },
  mismatch02: { verdict: "400" },
  bigcode: { verdict: "dropped" },
  badbranch: {
    verdict: "understood",
    understood(message) {
      // The cookie with nothing behind it names no transaction, so matching falls back to the older rules.
      expect(topViaOf(message).branch).toBe(MAGIC_COOKIE);
    },
  },
  insuf: { verdict: "400" },
  unkscm: { verdict: "416" },
  novelsc: { verdict: "416" },
  unksm2: {
    verdict: "400",
    understood(message) {
      expect(parseUri(toOf(message).uri)).toMatchObject({ scheme: "other", name: "isbn" });
      expect(fromOf(message).uri).toBe("http://www.example.com");
      expect(contacts(message)[0]?.uri).toBe("name:John_Smith");
    },
  },
  bext01: {
    verdict: "420",
    understood(message) {
      expect(requireOf(message)).toEqual(["nothingSupportsThis", "nothingSupportsThisEither"]);
      expect(proxyRequireOf(message)).toEqual(["noProxiesSupportThis", "norDoAnyProxiesSupportThis"]);
    },
  },
  invut: {
    verdict: "415",
    understood(message) {
      expect(contentTypeOf(message)).toEqual({ type: "application/unknownformat", parameters: [] });
    },
  },
  regaut01: { verdict: "401" },
  multi01: { verdict: "400" },
  mcl01: { verdict: "400" },
  bcast: {
    verdict: "dropped",
    understood(message) {
      expect(vias(message).map(({ host }) => host)).toEqual(["192.0.2.198", "255.255.255.255"]);
    },
  },
  zeromf: { verdict: "483" },
  cparam01: {
    verdict: "understood",
    understood(message) {
      const [contact] = contacts(message);
      expect(contact).toMatchObject({ uri: "sip:+19725552222@gw1.example.net" });
      expect(hasParameter(contact!.parameters, "unknownparam")).toBe(true);
    },
  },
  cparam02: {
    verdict: "understood",
    understood(message) {
      const [contact] = contacts(message);
      expect(contact?.parameters).toEqual([]);
      expect(hasParameter(uriOf(contact!.uri).parameters, "unknownparam")).toBe(true);
    },
  },
  regescrt: {
    verdict: "understood",
    understood(message) {
      expect(uriOf(contacts(message)[0]!.uri).headers).toEqual([{ name: "Route", value: "<sip:sip.example.com>" }]);
    },
  },
  sdp01: { verdict: "406" },
  inv2543: {
    verdict: "understood",
    understood(message) {
      expect(topViaOf(message).branch).toBe("");
      expect(tagOf(fromOf(message))).toBeUndefined();
      const [route] = good(recordRoutesOf(message));
      expect(parameterOf(uriOf(route!.uri).parameters, "maddr")).toBe("ss1.example.com");
      expect(parameterOf(toOf(message).parameters, "user")).toBe("phone");
      expect(message.body).toHaveLength(105);
    },
  },
  // Two messages that travel with the collection and are not in the RFC: no CSeq, and no version.
  badcseq: { verdict: "400" },
  test: { verdict: "dropped" },
};
