import { expect, test } from "vitest";
import { withHeader } from "../../../test/sip/with-header.ts";
import type { Request } from "../message/message.ts";
import { partOf, partsOf } from "./multipart.ts";
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

test("a body of several parts is taken apart, and any other is one part", () => {
  const body = "skip\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b\r\n\r\nbare\r\n--b--\r\nafter";
  const wrapped = withHeader({ ...request(), body }, "Content-Type", "multipart/mixed;boundary=b");
  expect(partOf(wrapped, "application/sdp")).toBe("v=0\r\n");
  expect(partsOf(wrapped).map((part) => part.body)).toEqual(["v=0\r\n", "bare"]);
  const plain = withHeader({ ...request(), body: "v=0" }, "Content-Type", "application/sdp");
  expect(partOf(plain, "application/sdp")).toBe("v=0");
  expect(partOf({ ...request(), body: "v=0" }, "application/sdp")).toBeUndefined();
  expect(partsOf(withHeader({ ...request(), body: "--b" }, "Content-Type", "multipart/mixed;boundary=b"))).toEqual([]);
});
