import { expect, test } from "vitest";
import { parseMessage } from "./parse.ts";
import { type Framed, openFraming } from "./stream.ts";

const message = (callId: string, body = "", length = String(body.length)) =>
  [
    "MESSAGE sip:a@b SIP/2.0",
    "Via: SIP/2.0/TCP c;branch=z9hG4bK1",
    "From: <sip:a@b>;tag=1",
    "To: <sip:a@b>",
    `Call-ID: ${callId}`,
    "CSeq: 1 MESSAGE",
    `Content-Length: ${length}`,
    "",
    body,
  ].join("\r\n");

const told = (framed: Framed[]) =>
  framed.map((one) => {
    if ("message" in one) return one.message.headers.find(({ name }) => name === "Call-ID")?.value;
    if ("ping" in one) return "ping";
    return "broken" in one ? `broken: ${one.broken}` : `${one.status} ${one.malformed}`;
  });

test("messages are cut out of a stream however it is chopped", () => {
  const octets = `${message("one", "body")}\r\n\r\n${message("two")}\r\n${message("three", "\r\n\r\nMESSAGE")}`;
  const whole = told(openFraming().push(octets));
  expect(whole).toEqual(["one", "ping", "two", "three"]);
  for (const size of [1, 2, 3, 7, 64, 200]) {
    const framing = openFraming();
    const heard: unknown[] = [];
    for (let at = 0; at < octets.length; at += size) heard.push(...told(framing.push(octets.slice(at, at + size))));
    expect(heard).toEqual(whole);
    expect(framing.held()).toBe(0);
  }
});

test("one line end is a pong and means nothing, two are a ping", () => {
  const framing = openFraming();
  expect(framing.push("\r\n")).toEqual([]);
  expect(told(framing.push("\r\n"))).toEqual(["ping"]);
  expect(told(framing.push(`\r\n${message("one")}`))).toEqual(["one"]);
});

test.each(["x", "-1", "", "1 1", "99999999999"])(
  "a length of %j breaks the stream, and nothing is heard after it",
  (length) => {
    const framing = openFraming();
    const heard = told(framing.push(message("one", "", length)));
    expect(heard).toHaveLength(2);
    expect(heard[1]).toMatch(/^broken/);
    expect(framing.push(message("two"))).toEqual([]);
    expect(framing.held()).toBe(0);
  },
);

test("no length, two lengths and a message too large are answered before the stream is given up", () => {
  const without = message("one").replace("Content-Length: 0\r\n", "");
  expect(told(openFraming().push(without))).toEqual(["400 no Content-Length", "broken: no Content-Length"]);
  const twice = message("one").replace("Content-Length: 0", "Content-Length: 0\r\nl: 0");
  expect(told(openFraming().push(twice))[0]).toBe("400 more than one Content-Length");
  expect(told(openFraming({ maxMessage: 500 }).push(message("one", "", "400")))[0]).toBe("513 message too large");
});

test("a message that is refused for its headers does not break the stream", () => {
  const spoilt = message("two").replace("CSeq: 1 MESSAGE", "CSeq: 1 BYE");
  expect(told(openFraming().push(message("one") + spoilt + message("three")))).toEqual([
    "one",
    "400 CSeq names another method",
    "three",
  ]);
});

test("a head that never ends is given up at its limit", () => {
  const framing = openFraming({ maxUnfinished: 1000 });
  let heard: unknown[] = [];
  for (let sent = 0; sent < 5000 && heard.length === 0; sent++) {
    heard = told(framing.push("x"));
    expect(framing.held()).toBeLessThanOrEqual(1000);
  }
  expect(heard).toEqual(["broken: head too long"]);
  expect(told(openFraming({ maxUnfinished: 1000 }).push("x".repeat(100_000)))).toEqual(["broken: head too long"]);
});

test("a head of 20,000 octets is read, in many headers or in one", () => {
  const many = Array.from({ length: 190 }, (_, at) => `X-Pad-${at}: ${"x".repeat(90)}\r\n`).join("");
  for (const padding of [many, `Identity: ${"e".repeat(19_000)}\r\n`]) {
    const octets = message("one").replace("CSeq:", `${padding}CSeq:`);
    expect(octets.length).toBeGreaterThan(19_000);
    const framing = openFraming();
    const heard = [...octets.matchAll(/[\s\S]{1,1400}/g)].flatMap(([piece]) => framing.push(piece));
    expect(told(heard)).toEqual(["one"]);
  }
});

test("what is longer than may be is answered with 513 wherever it can be answered", () => {
  const endless = `${message("one").split("\r\n\r\n")[0]}\r\n${"X-Pad: y\r\n".repeat(10_000)}`;
  expect(told(openFraming().push(endless))).toEqual(["513 head too long", "broken: head too long"]);
  const framing = openFraming();
  const heard = [...endless.matchAll(/[\s\S]{1,1000}/g)].flatMap(([piece]) => framing.push(piece));
  expect(told(heard)).toEqual(["513 head too long", "broken: head too long"]);
  const wide = message("one").replace("CSeq:", `X-Pad: ${"y".repeat(40_000)}\r\nCSeq:`);
  expect(told(openFraming().push(wide))[0]).toMatch(/^513 /);
  const datagram = parseMessage(message("one", "x".repeat(70_000)));
  expect(datagram).toMatchObject({ status: 513, request: { method: "MESSAGE" } });
});

test("octets that drip one by one cost no more than they weigh", () => {
  const body = "x".repeat(60_000);
  const framing = openFraming();
  const octets = message("one", body);
  const start = process.cpuUsage();
  let heard = 0;
  for (let at = 0; at < octets.length; at++) heard += framing.push(octets[at]!).length;
  const { user, system } = process.cpuUsage(start);
  expect(heard).toBe(1);
  // Copying the buffer at every octet would be seconds.
  expect(user + system).toBeLessThan(1_000_000);
});
