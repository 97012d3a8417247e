import { expect, test } from "vitest";
import type { Agreed } from "../../sdp/agreed.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { canMeet, mediaPeer } from "./media-peer.ts";

function offer(address: string, protocol = "RTP/AVP", ...more: string[]) {
  const family = address.includes(":") ? "IP6" : "IP4";
  const lines = ["v=0", `o=- 1 1 IN ${family} ${address}`, "s=-", `c=IN ${family} ${address}`, "t=0 0"];
  const parsed = parseSdp([...lines, `m=audio 4000 ${protocol} 8`, ...more, ""].join("\r\n"));
  if (parsed.is === "malformed") throw new Error(parsed.why);
  return parsed.description;
}

test("the SIP peer decides, unless media are in the other family or come by the gateway", () => {
  const peer = (sdp: ReturnType<typeof offer>, inside?: string) => mediaPeer(sdp, "203.0.113.9", inside);
  expect(peer(offer("192.168.1.7"))).toBe("203.0.113.9");
  expect(peer(offer("2001:DB8::7"))).toBe("2001:db8::7");
  expect(peer(offer("::ffff:192.168.1.7"))).toBe("203.0.113.9");
  expect(peer(offer("0.0.0.0"))).toBe("203.0.113.9");
  expect(peer(offer("::"))).toBe("203.0.113.9");
  expect(peer(offer("phone.example"))).toBe("203.0.113.9");
  const ice = ["a=ice-ufrag:abcd", "a=ice-pwd:abcdefghijklmnopqrstuv"];
  expect(peer(offer("192.168.1.7", "RTP/AVP", ...ice))).toBe("203.0.113.9");
  const fingerprint = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`;
  expect(peer(offer("192.168.1.7", "UDP/TLS/RTP/SAVP", fingerprint))).toBe("203.0.113.9");
  expect(peer(offer("192.168.1.7", "UDP/TLS/RTP/SAVPF", ...ice, fingerprint), "127.0.0.1")).toBe("127.0.0.1");
  expect(mediaPeer(offer("1.2.3.4", "UDP/TLS/RTP/SAVPF", ...ice, fingerprint), "::1", undefined)).toBe("1.2.3.4");
});

test("two families never meet, and whoever holds or names a host may", () => {
  const meets = (ours: string, theirs: string) =>
    canMeet({ address: ours }, { remote: { address: theirs, port: 1 } } as Agreed); // nothing else is looked at
  expect(meets("10.0.0.1", "10.0.0.2")).toBe(true);
  expect(meets("10.0.0.1", "fd00::2")).toBe(false);
  expect(meets("fd00::1", "10.0.0.2")).toBe(false);
  expect(meets("10.0.0.1", "::ffff:10.0.0.2")).toBe(true);
  expect(meets("fd00::1", "0.0.0.0")).toBe(true);
  expect(meets("fd00::1", "phone.example")).toBe(true);
});
