import { expect, test } from "vitest";
import { withHeader } from "../../../test/sip/with-header.ts";
import type { Request } from "../message/message.ts";
import { partsOf, sessionIn } from "./multipart.ts";
import { refusalOf, type Supported } from "./validate.ts";

const supported: Supported = {
  methods: ["INVITE", "ACK", "BYE", "REGISTER", "CANCEL"],
  options: ["timer"],
  contentTypes: ["application/sdp"],
};

const request = (method = "INVITE", uri = "sip:1002@santral.example"): Request => ({
  is: "request",
  method,
  uri,
  headers: [{ name: "To", value: "<sip:1002@santral.example>" }],
  body: "",
});

const status = (asked: Request) => refusalOf(asked, supported)?.status;
const having = (name: string, value: string, method = "INVITE") => status(withHeader(request(method), name, value));

test("a plain request is served", () => {
  expect(status(request())).toBeUndefined();
  expect(status(request("INVITE", "tel:+905321234567"))).toBeUndefined();
});

test("a method we do not serve is told from one that does not exist", () => {
  expect(refusalOf(request("PUBLISH"), supported)).toEqual({
    status: 405,
    headers: [{ name: "Allow", value: "INVITE, ACK, BYE, REGISTER, CANCEL" }],
  });
  expect(status(request("DANCE"))).toBe(501);
});

test("addresses we cannot route are refused", () => {
  expect(status(request("INVITE", "http://santral.example"))).toBe(416);
  expect(status(request("INVITE", "sip:a@b?Subject=x"))).toBe(400);
  expect(status(request("INVITE", "sip:@b"))).toBe(400);
});

test("each demand we cannot meet has its status", () => {
  expect(having("Max-Forwards", "0")).toBe(483);
  expect(having("Max-Forwards", "0", "BYE")).toBeUndefined();
  expect(having("Max-Forwards", "x")).toBe(400);
  expect(having("Require", "timer")).toBeUndefined();
  expect(having("Require", "telepathy", "ACK")).toBeUndefined();
  expect(having("Date", "yesterday")).toBeUndefined();
  expect(refusalOf(withHeader(request(), "Accept", "text/plain"), supported)).toEqual({
    status: 406,
    headers: [{ name: "Warning", value: '399 santral "Accept leaves no room for application/sdp"' }],
  });
  expect(refusalOf(withHeader(request(), "Require", "Timer, telepathy"), supported)).toEqual({
    status: 420,
    headers: [{ name: "Unsupported", value: "telepathy" }],
  });
});

test("a body we cannot read is refused, unless it may be ignored", () => {
  const body = (type: string) => withHeader({ ...request(), body: "x" }, "Content-Type", type);
  expect(status(body("application/sdp"))).toBeUndefined();
  expect(refusalOf(body("text/html"), supported)).toEqual({
    status: 415,
    headers: [{ name: "Accept", value: "application/sdp" }],
  });
  expect(status(withHeader(body("text/html"), "Content-Disposition", "render;handling=optional"))).toBeUndefined();
  expect(status(withHeader(body("application/sdp"), "Content-Encoding", "gzip"))).toBe(415);
  expect(status({ ...request(), body: "x" })).toBe(400);
});

test("a registration must make sense", () => {
  const register = (contact: string, expires: string) =>
    status(withHeader(withHeader(request("REGISTER", "sip:santral.example"), "Contact", contact), "Expires", expires));
  expect(register("<sip:a@b>", "60")).toBeUndefined();
  expect(register("*", "0")).toBeUndefined();
  expect(register("*", "60")).toBe(400);
  expect(register("*", "soon")).toBe(400);
  expect(register("<sip:a@b>", "soon")).toBeUndefined();
  expect(register("<sip:@b>", "60")).toBe(400);
  expect(register("<sip:a@b>;expires=x", "60")).toBeUndefined();
  expect(having("To", "<tel:1002>", "REGISTER")).toBe(400);
});

const SDP = "Content-Type: application/sdp\r\n\r\nv=0\r\n";

const wrapping = (kind: string, ...parts: string[]): Request =>
  withHeader(
    { ...request(), body: `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n` },
    "Content-Type",
    `multipart/${kind};boundary=b`,
  );

test("a body of several parts is taken apart, and any other is one part", () => {
  const body = "skip\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b\r\n\r\nbare\r\n--b--\r\nafter";
  const wrapped = withHeader({ ...request(), body }, "Content-Type", "multipart/mixed;boundary=b");
  expect(sessionIn(wrapped)).toBe("v=0\r\n");
  expect(partsOf(wrapped).map((part) => part.body)).toEqual(["v=0\r\n", "bare"]);
  const plain = withHeader({ ...request(), body: "v=0" }, "Content-Type", "application/sdp");
  expect(sessionIn(plain)).toBe("v=0");
  expect(sessionIn({ ...request(), body: "v=0" })).toBeUndefined();
  expect(partsOf(withHeader({ ...request(), body: "--b" }, "Content-Type", "multipart/mixed;boundary=b"))).toEqual([]);
});

test("the session is found among parts, in parts of parts, and is the last of alternatives", () => {
  const inner =
    "--c\r\nContent-Type: text/plain\r\n\r\nhello\r\n--c\r\nContent-Type: application/sdp\r\n\r\nv=1\r\n--c--";
  const nested = `Content-Type: multipart/alternative; boundary="c"\r\n\r\n${inner}`;
  expect(sessionIn(wrapping("mixed", "Content-Type: application/isup\r\n\r\nx", nested))).toBe("v=1");
  const other = SDP.replace("v=0", "v=2");
  expect(sessionIn(wrapping("alternative", SDP, other))).toBe("v=2\r\n");
  expect(sessionIn(wrapping("mixed", SDP, other))).toBe("v=0\r\n");
  const early = `Content-Disposition: early-session\r\n${SDP}`;
  expect(sessionIn(wrapping("mixed", early))).toBeUndefined();
  expect(sessionIn(wrapping("mixed", early, other))).toBe("v=2\r\n");
});

test("a part we do not know is refused with what we take, unless it may be ignored or something else does", () => {
  const takes = { ...supported, contentTypes: ["application/sdp", "multipart/mixed", "multipart/alternative"] };
  const isup = "Content-Type: application/isup;version=x\r\n";
  const optional = `${isup}Content-Disposition: signal;handling=optional\r\n\r\nx`;
  expect(refusalOf(wrapping("mixed", SDP, optional), takes)).toBeUndefined();
  expect(refusalOf(wrapping("mixed", SDP, `${isup}\r\nx`), takes)).toEqual({
    status: 415,
    headers: [{ name: "Accept", value: "application/sdp, multipart/mixed, multipart/alternative" }],
  });
  expect(refusalOf(wrapping("alternative", `${isup}\r\nx`, SDP), takes)).toBeUndefined();
  expect(refusalOf(wrapping("alternative", `${isup}\r\nx`), takes)?.status).toBe(415);
  const unbounded = withHeader({ ...request(), body: "v=0" }, "Content-Type", "multipart/mixed");
  expect(refusalOf(unbounded, takes)?.status).toBe(400);
  expect(refusalOf({ ...wrapping("mixed", SDP), body: "no parts" }, takes)?.status).toBe(400);
});
