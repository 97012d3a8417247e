import { expect, test } from "vitest";
import { readAnswer, readOffer, trim, withFewWays } from "./description.ts";

const browserOffer = (formats: string, more: string[] = []) =>
  [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    `m=audio 9 UDP/TLS/RTP/SAVPF ${formats}`,
    "c=IN IP4 0.0.0.0",
    "a=fingerprint:sha-256 AA:BB",
    "a=rtpmap:111 opus/48000/2",
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:8 PCMA/8000",
    "a=rtpmap:110 telephone-event/48000",
    "a=rtpmap:126 telephone-event/8000",
    ...more,
    "",
  ].join("\r\n");

test("of an offer the codec that we prefer is taken, with the digits that share its clock", () => {
  const offer = browserOffer("111 0 8 110 126", ["a=sendonly"]);
  expect(readOffer(offer, ["PCMA", "PCMU"])).toEqual({ codec: "PCMA", eventType: 126, direction: "recvonly" });
  expect(readOffer(offer, ["PCMU", "PCMA"])).toMatchObject({ codec: "PCMU" });
});

test("of an answer the codec that the browser named first is taken", () => {
  const answer = browserOffer("0 8");
  expect(readAnswer(answer, ["PCMA", "PCMU"])).toEqual({ codec: "PCMU", eventType: undefined, direction: "sendrecv" });
});

test("without a common codec, without DTLS or without sense there is nothing to agree on", () => {
  expect(readOffer(browserOffer("111"), ["PCMA", "PCMU"])).toBeUndefined();
  expect(readOffer(browserOffer("8").replace("UDP/TLS/RTP/SAVPF", "RTP/AVP"), ["PCMA"])).toBeUndefined();
  expect(readOffer("hello", ["PCMA"])).toBeUndefined();
  expect(readAnswer("hello", ["PCMA"])).toBeUndefined();
});

test("what the gateway says names digits on one clock only, and every address it can be reached at", () => {
  const candidate = "a=candidate:1 1 udp 2130706431 198.51.100.7 19000 typ host";
  const said = trim(browserOffer("8 110 126", ["a=fmtp:110 0-15", "a=sendrecv", candidate]), {
    reachableAt: ["198.51.100.7", "10.0.0.7", "fd00::7"],
    direction: "recvonly",
  });
  expect(said).toContain("a=recvonly\r\n");
  expect(said).toContain("m=audio 9 UDP/TLS/RTP/SAVPF 8 126\r\n");
  expect(said).not.toContain("110 ");
  expect(said).toContain(`${candidate}\r\n`);
  expect(said).toContain("a=candidate:11 1 udp 2130706175 10.0.0.7 19000 typ host\r\n");
  expect(said).not.toContain("fd00::7"); // that port is of the other family
});

test("of the ways that a browser names a few are checked, none of them by a name", () => {
  const way = (at: number | string, transport = "udp") =>
    `a=candidate:1 1 ${transport} 2130706431 ${typeof at === "number" ? `203.0.113.${at}` : at} 9 typ host`;
  const named = ["victim.example", "6b7c.local"].map((name) => way(name));
  const many = Array.from({ length: 100 }, (_, at) => way(at + 1));
  const said = withFewWays(browserOffer("8", [...named, way(200, "tcp"), ...many, "a=sendrecv"]));
  expect(said.match(/^a=candidate:.*/gm)).toEqual(many.slice(0, 16));
  expect(said).toContain("a=sendrecv\r\n");
  expect(withFewWays(browserOffer("8", named))).toBe(browserOffer("8"));
});
