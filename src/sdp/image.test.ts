// T.38 offered, answered and understood.

import { describe, expect, test } from "vitest";
import { answerImage, offerImage, readImage } from "./image.ts";
import { parseSdp } from "./parse.ts";
import { printSdp } from "./print.ts";

const OURS = { address: "192.0.2.1", port: 29_998, session: { id: "77", version: 2 } };

describe("our offer", () => {
  test("says all that every T.38 machine knows", () => {
    expect(printSdp(offerImage(OURS)).split("\r\n")).toEqual([
      "v=0",
      "o=- 77 2 IN IP4 192.0.2.1",
      "s=-",
      "c=IN IP4 192.0.2.1",
      "t=0 0",
      "m=image 29998 udptl t38",
      "a=T38FaxVersion:0",
      "a=T38MaxBitRate:14400",
      "a=T38FaxRateManagement:transferredTCF",
      "a=T38FaxMaxBuffer:2000",
      "a=T38FaxMaxDatagram:400",
      "a=T38FaxUdpEC:t38UDPRedundancy",
      "",
    ]);
  });

  test("is understood by ourselves", () => {
    expect(readImage(read(printSdp(offerImage(OURS))))).toEqual({
      remote: { address: "192.0.2.1", port: 29_998 },
      maxDatagram: 400,
      redundancy: true,
    });
  });
});

describe("a gateway's description", () => {
  test("that says little is taken at the usual values", () => {
    const little = "v=0\r\nc=IN IP4 198.51.100.7\r\nm=image 4000 UDPTL t38\r\n";
    const remote = { address: "198.51.100.7", port: 4000 };
    expect(readImage(read(little))).toEqual({ remote, maxDatagram: 400, redundancy: true });
  });

  test.each([
    ["a=T38FaxMaxDatagram:72", { maxDatagram: 72 }],
    ["a=T38FaxMaxDatagram:10", { maxDatagram: 72 }],
    ["a=T38FaxMaxDatagram:rubbish", { maxDatagram: 400 }],
    ["a=T38FaxUdpEC:t38UDPFEC", { redundancy: false }],
    ["c=IN IP4 203.0.113.9", { remote: { address: "203.0.113.9", port: 4000 } }],
  ])("is believed in what it says: %s", (line, expected) => {
    expect(readImage(read(`v=0\r\nc=IN IP4 198.51.100.7\r\nm=image 4000 udptl t38\r\n${line}\r\n`))).toMatchObject(
      expected,
    );
  });

  test.each(["m=audio 4000 RTP/AVP 8", "m=image 0 udptl t38", "m=image 4000 TCP t38"])("without T.38: %s", (line) => {
    expect(readImage(read(`v=0\r\nc=IN IP4 198.51.100.7\r\n${line}\r\n`))).toBeUndefined();
  });
});

test("what was offered beside T.38 is refused in its place", () => {
  const offer = read("v=0\r\nc=IN IP4 198.51.100.7\r\nm=audio 0 RTP/AVP 8 0\r\nm=image 4000 udptl t38\r\n");
  const media = answerImage(offer, OURS).media;
  expect(media.map(({ kind, port, formats }) => ({ kind, port, formats }))).toEqual([
    { kind: "audio", port: 0, formats: ["8"] },
    { kind: "image", port: 29_998, formats: ["t38"] },
  ]);
});

function read(text: string) {
  const parsed = parseSdp(text);
  if (parsed.is === "malformed") throw new Error(parsed.why);
  return parsed.description;
}
