import { expect, test } from "vitest";
import { withHeader, withoutHeader } from "../../../test/sip/with-header.ts";
import { responseTo } from "../respond.ts";
import type { Request } from "./message.ts";
import { printMessage } from "./print.ts";
import { octetsOf, textOf } from "./text.ts";

const request: Request = {
  is: "request",
  method: "INVITE",
  uri: "sip:1002@santral.example",
  headers: [
    { name: "Via", value: "SIP/2.0/UDP a.example;branch=z9hG4bK1" },
    { name: "Via", value: "SIP/2.0/UDP b.example;branch=z9hG4bK2" },
    { name: "Record-Route", value: "<sip:p.example;lr>" },
    { name: "From", value: "<sip:1001@santral.example>;tag=f" },
    { name: "To", value: "<sip:1002@santral.example>" },
    { name: "Call-ID", value: "c" },
    { name: "CSeq", value: "1 INVITE" },
    { name: "Content-Length", value: "999" },
    { name: "Subject", value: "lunch" },
  ],
  body: "v=0\r\n",
};

test("the length is counted, whatever the headers said", () => {
  const octets = printMessage(request);
  expect(octets.startsWith("INVITE sip:1002@santral.example SIP/2.0\r\nVia: SIP/2.0/UDP a.example")).toBe(true);
  expect(octets.match(/Content-Length/g)).toHaveLength(1);
  expect(octets.endsWith("\r\nContent-Length: 5\r\n\r\nv=0\r\n")).toBe(true);
});

test("a line break in a header or in the start line is our own mistake", () => {
  const spoilt = (value: string) => () => printMessage(withHeader(request, "Subject", value));
  expect(spoilt("a\r\nRoute: <sip:evil>")).toThrow("line break");
  expect(spoilt("a\nb")).toThrow("line break");
  expect(spoilt("a\rb")).toThrow("line break");
  expect(() => printMessage({ ...request, uri: "sip:a SIP/2.0\r\nX: y" })).toThrow("line break");
  expect(() => printMessage({ ...request, headers: [{ name: "X\r\nY", value: "z" }] })).toThrow("line break");
});

test("text is encoded before it is printed, and read back as text", () => {
  const name = "Şükrü Çağlar 東京 🙂";
  expect(textOf(octetsOf(name))).toBe(name);
  expect(printMessage(withHeader(request, "Subject", octetsOf(name)))).toContain("Subject: \xc5\x9e\xc3\xbckr");
  expect(() => printMessage(withHeader(request, "Subject", name))).toThrow("no octets");
  expect(() => printMessage({ ...request, body: "\u010a" })).toThrow("no octets");
  expect(octetsOf("Reception")).toBe("Reception");
  expect(textOf("caf\xe9")).toBe("café");
  expect(textOf(octetsOf("x".repeat(100_000) + name))).toHaveLength(100_000 + name.length);
});

test("a response copies what it must, adds the tag, and leaves the rest", () => {
  const ringing = responseTo(request, 180, { toTag: "t", headers: [{ name: "Contact", value: "<sip:x>" }] });
  expect(ringing).toMatchObject({ status: 180, reason: "Ringing", body: "" });
  expect(ringing.headers.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    "Via: SIP/2.0/UDP a.example;branch=z9hG4bK1",
    "Via: SIP/2.0/UDP b.example;branch=z9hG4bK2",
    "Record-Route: <sip:p.example;lr>",
    "From: <sip:1001@santral.example>;tag=f",
    "To: <sip:1002@santral.example>;tag=t",
    "Call-ID: c",
    "CSeq: 1 INVITE",
    "Contact: <sip:x>",
  ]);
});

test("Trying gets no tag, a refusal no route, and a tag that is there stays", () => {
  const names = (status: number) => responseTo(request, status, { toTag: "t" }).headers.map(({ name }) => name);
  expect(names(100)).not.toContain("Record-Route");
  expect(names(486)).not.toContain("Record-Route");
  const to = (status: number, value: string) =>
    responseTo(withHeader(request, "To", value), status, { toTag: "t" }).headers.find(({ name }) => name === "To")
      ?.value;
  expect(to(100, "<sip:a@b>")).toBe("<sip:a@b>");
  expect(to(200, "<sip:a@b>;tag=old")).toBe("<sip:a@b>;tag=old");
  expect(to(400, '"unbalanced <sip:a@b>')).toBe('"unbalanced <sip:a@b>;tag=t');
  expect(responseTo(request, 418).reason).toBe("Bad Request");
});

test("a header is set once and taken away whole", () => {
  const vias = (value: Request) => value.headers.filter(({ name }) => name === "Via").length;
  expect(vias(withHeader(request, "Via", "SIP/2.0/UDP c.example"))).toBe(1);
  expect(vias(withoutHeader(request, "Via"))).toBe(0);
  expect(withHeader(request, "Expires", "60").headers.at(-1)).toEqual({ name: "Expires", value: "60" });
});
