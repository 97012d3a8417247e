// Session descriptions in the many forms they come in.

import { expect, test } from "vitest";
import { parseSdp } from "./parse.ts";
import { printSdp } from "./print.ts";
import { attributes, directionOf } from "./session.ts";

test("bare line feeds, blank lines, unknown lines and a missing session name are forgiven", () => {
  const result = parseSdp(
    "v=0\nx=?\n\nc=IN IP4 192.0.2.1/127\nm=audio 4000/2 RTP/AVP 8  0\na=rtpmap:8 PCMA/8000\na=x:y:z\n",
  );
  expect(result).toMatchObject({
    is: "description",
    description: {
      connection: "192.0.2.1",
      media: [{ kind: "audio", port: 4000, formats: ["8", "0"], attributes: [{}, { name: "x", value: "y:z" }] }],
    },
  });
});

test.each([
  ["", "no v= line"],
  ["v=1\r\n", "unknown version"],
  ["hello", "not a line of SDP: hello"],
  ["v=0\r\nm=audio 99999 RTP/AVP 0\r\n", "unreadable m= line"],
  ["v=0\r\nm=audio x RTP/AVP 0\r\n", "unreadable m= line"],
  ["v=0\r\nm=audio\r\n", "unreadable m= line"],
  ["v=0\r\nc=IN\r\n", "c= without an address"],
  ["v=0\r\na=one\rtwo\r\n", "a carriage return inside a line"],
  [`v=0\r\n${"m=audio 1 RTP/AVP 0\r\n".repeat(33)}`, "too many media lines"],
  [`v=0\r\n${"a=x\r\n".repeat(1000)}`, "too many lines"],
  [`v=0\r\na=${"x".repeat(5000)}\r\n`, "line too long"],
  [`v=0\r\n${" ".repeat(70_000)}`, "too long"],
])("%j is malformed: %s", (text, why) => {
  expect(parseSdp(text)).toEqual({ is: "malformed", why });
});

test("an endless list of formats costs nothing", () => {
  const result = parseSdp(`v=0\r\nm=audio 4000 RTP/AVP ${"8 ".repeat(2000)}\r\n`);
  if (result.is === "malformed") throw new Error(result.why);
  expect(result.description.media[0]!.formats.length).toBeLessThanOrEqual(64);
});

test("what is parsed and printed again says the same", () => {
  const text = [
    "v=0",
    "o=ali 1 2 IN IP6 2001:db8::1",
    "s=call",
    "c=IN IP6 2001:db8::1",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=audio 4000 RTP/AVP 8",
    "c=IN IP4 192.0.2.9",
    "a=rtpmap:8 PCMA/8000",
    "a=recvonly",
    "",
  ].join("\r\n");
  const result = parseSdp(text);
  if (result.is === "malformed") throw new Error(result.why);
  expect(printSdp(result.description)).toBe(text);
  const [audio] = result.description.media;
  expect(directionOf(result.description, audio!)).toBe("recvonly");
  expect(attributes(audio!, "rtpmap")).toEqual(["8 PCMA/8000"]);
});
