// Offers as real phones send them, and what is answered and agreed.

import { expect, test } from "vitest";
import { type Agreed, isHeldByThem, type Preference } from "./agreed.ts";
import type { SuiteKeys } from "./crypto.ts";
import { answerOffer, makeOffer, needsIce, readAnswer } from "./negotiate.ts";
import { parseSdp } from "./parse.ts";
import { printSdp } from "./print.ts";
import type { SessionDescription } from "./session.ts";

const KEY = "WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz";
const THEIR_KEY = "d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj";

const keysWith = (key: string): SuiteKeys => ({
  AES_CM_128_HMAC_SHA1_80: key,
  AES_CM_128_HMAC_SHA1_32: key,
  AEAD_AES_128_GCM: Buffer.alloc(28, 1).toString("base64"),
  AEAD_AES_256_GCM: Buffer.alloc(44, 2).toString("base64"),
});
const KEYS = keysWith(KEY);
const THEIR_KEYS = keysWith(THEIR_KEY);

const preference: Preference = {
  codecs: ["PCMA", "PCMU", "G722", "opus"],
  address: "203.0.113.5",
  port: 20_000,
  session: { id: "42", version: 1 },
};

function parsed(text: string): SessionDescription {
  const result = parseSdp(text);
  if (result.is === "malformed") throw new Error(result.why);
  return result.description;
}

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n`;

const baresip = lines(
  "v=0",
  "o=- 3842100001 2107380219 IN IP4 198.51.100.7",
  "s=-",
  "c=IN IP4 198.51.100.7",
  "t=0 0",
  "a=tool:baresip 1.0.0",
  "m=audio 21040 RTP/AVP 0 8 101",
  "b=AS:125",
  "a=rtpmap:0 PCMU/8000",
  "a=rtpmap:8 PCMA/8000",
  "a=rtpmap:101 telephone-event/8000",
  "a=fmtp:101 0-15",
  "a=rtcp:21041",
  "a=sendrecv",
  "a=label:1",
  "a=ptime:20",
);

const sipp = lines(
  "v=0",
  "o=user1 53655765 2353687637 IN IP4 198.51.100.8",
  "s=-",
  "c=IN IP4 198.51.100.8",
  "t=0 0",
  "m=audio 6000 RTP/AVP 0",
  "a=rtpmap:0 PCMU/8000",
);

const yealink = lines(
  "v=0",
  "o=- 20050 20050 IN IP4 192.168.1.24",
  "s=SDP data",
  "c=IN IP4 192.168.1.24",
  "t=0 0",
  "m=audio 11796 RTP/AVP 9 0 8 18 101",
  "a=rtpmap:9 G722/8000",
  "a=rtpmap:0 PCMU/8000",
  "a=rtpmap:8 PCMA/8000",
  "a=rtpmap:18 G729/8000",
  "a=fmtp:18 annexb=no",
  "a=fmtp:101 0-15",
  "a=rtpmap:101 telephone-event/8000",
  "a=ptime:20",
  "a=sendrecv",
);

const linphone = lines(
  "v=0",
  "o=ayse 1239 3377 IN IP4 10.0.0.9",
  "s=Talk",
  "c=IN IP4 10.0.0.9",
  "t=0 0",
  "a=ice-pwd:5d4c5a7ff8a9b1b8d3c8a0b3",
  "a=ice-ufrag:8f1a",
  "a=rtcp-xr:rcvr-rtt=all:10000 stat-summary=loss,dup,jitt,TTL voip-metrics",
  "m=audio 7078 RTP/AVP 96 97 98 0 8 18 101 99 100",
  "a=rtpmap:96 opus/48000/2",
  "a=fmtp:96 useinbandfec=1",
  "a=rtpmap:97 speex/16000",
  "a=fmtp:97 vbr=on",
  "a=rtpmap:98 speex/8000",
  "a=rtpmap:101 telephone-event/48000",
  "a=rtpmap:99 telephone-event/16000",
  "a=rtpmap:100 telephone-event/8000",
  "a=candidate:1 1 UDP 2130706431 10.0.0.9 7078 typ host",
  "a=rtcp-fb:* trr-int 5000",
  "m=video 9078 RTP/AVP 96",
  "a=rtpmap:96 VP8/90000",
);

const zoiper = lines(
  "v=0",
  "o=Z 0 1 IN IP4 192.168.1.30",
  "s=Z",
  "c=IN IP4 192.168.1.30",
  "t=0 0",
  "m=audio 8000 RTP/SAVP 3 110 8 0 98 101",
  "a=rtpmap:110 speex/8000",
  "a=rtpmap:98 iLBC/8000",
  "a=fmtp:98 mode=20",
  "a=rtpmap:101 telephone-event/8000",
  `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${THEIR_KEY}|2^31|1:1`,
  "a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:NzB4d1BINUAvLEw6UzF3WSJ+PSdFcGdUJShpX1Zj",
  "a=sendrecv",
);

const chrome = lines(
  "v=0",
  "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
  "s=-",
  "t=0 0",
  "a=group:BUNDLE 0",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126",
  "c=IN IP4 0.0.0.0",
  "a=rtcp:9 IN IP4 0.0.0.0",
  "a=ice-ufrag:8hhY",
  "a=ice-pwd:asd88fgpdd777uzjYhagZg",
  "a=fingerprint:sha-256 19:E2:1C:3B:4B:9F:81:E6:B8:5C:F4:A5:A8:D8:73:04",
  "a=setup:actpass",
  "a=mid:0",
  "a=sendrecv",
  "a=rtcp-mux",
  "a=rtpmap:111 opus/48000/2",
  "a=rtpmap:8 PCMA/8000",
);

function agreedOn(text: string, more: Partial<Preference> = {}): Agreed {
  const result = answerOffer(parsed(text), { ...preference, ...more });
  if (result.is === "refused") throw new Error(result.why);
  return result.agreed;
}

test.each<[string, string, Partial<Preference>, Agreed]>([
  [
    "baresip",
    baresip,
    {},
    {
      codec: "PCMA",
      payloadType: 8,
      telephoneEvent: 101,
      remote: { address: "198.51.100.7", port: 21_040 },
      remoteRtcpPort: 21_041,
      direction: "sendrecv",
    },
  ],
  [
    "SIPp, which knows no keys",
    sipp,
    {},
    { codec: "PCMU", payloadType: 0, remote: { address: "198.51.100.8", port: 6000 }, direction: "sendrecv" },
  ],
  [
    "a Yealink, in our order of codecs",
    yealink,
    { codecs: ["G722", "PCMA"] },
    {
      codec: "G722",
      payloadType: 9,
      telephoneEvent: 101,
      remote: { address: "192.168.1.24", port: 11_796 },
      direction: "sendrecv",
    },
  ],
  [
    "Linphone, with the keys on Opus's own clock",
    linphone,
    { codecs: ["opus"] },
    {
      codec: "opus",
      payloadType: 96,
      telephoneEvent: 101,
      remote: { address: "10.0.0.9", port: 7078 },
      direction: "sendrecv",
    },
  ],
  [
    "Linphone, with the keys on the telephone's clock",
    linphone,
    {},
    {
      codec: "PCMA",
      payloadType: 8,
      telephoneEvent: 100,
      remote: { address: "10.0.0.9", port: 7078 },
      direction: "sendrecv",
    },
  ],
  [
    "Zoiper with encryption",
    zoiper,
    { srtp: "allow", srtpKeys: KEYS },
    {
      codec: "PCMA",
      payloadType: 8,
      telephoneEvent: 101,
      remote: { address: "192.168.1.30", port: 8000 },
      direction: "sendrecv",
      srtp: { suite: "AES_CM_128_HMAC_SHA1_80", localKey: KEY, remoteKey: THEIR_KEY },
    },
  ],
])("an offer from %s is agreed on", (_who, text, more, agreed) => {
  expect(agreedOn(text, more)).toEqual(agreed);
});

test.each([
  ["a browser", chrome, {}, "webrtc"],
  ["an encrypted phone where encryption is off", zoiper, {}, "encryption-not-possible"],
  ["a plain phone where encryption is required", baresip, { srtp: "require", srtpKeys: KEYS }, "encryption-required"],
  ["a phone that speaks none of our codecs", yealink, { codecs: ["opus"] }, "no-common-codec"],
  ["a fax machine that already switched", lines("v=0", "m=image 4000 udptl t38"), {}, "fax-only"],
  ["somebody who only shows a film", lines("v=0", "m=video 4000 RTP/AVP 96"), {}, "no-audio"],
  ["a phone whose audio is switched off", lines("v=0", "m=audio 0 RTP/AVP 8"), {}, "no-audio"],
] as [string, string, Partial<Preference>, string][])("%s is refused with a reason", (_who, text, more, why) => {
  expect(answerOffer(parsed(text), { ...preference, ...more })).toEqual({ is: "refused", why });
});

test("an offer is a browser's only when nothing else in it could be answered", () => {
  expect(needsIce(parsed(chrome), {})).toBe(true);
  const either = parsed(`${chrome}${lines("m=audio 4000 RTP/AVP 8", "c=IN IP4 198.51.100.7")}`);
  expect([needsIce(either, {}), needsIce(either, { srtp: "require" }), needsIce(parsed(baresip), {})]).toEqual(
    Array(3).fill(false),
  );
});

test("the answer names one codec, its keys, our place, and switches the other lines off in theirs", () => {
  const result = answerOffer(parsed(linphone), preference);
  if (result.is === "refused") throw new Error(result.why);
  expect(printSdp(result.answer)).toBe(
    lines(
      "v=0",
      "o=- 42 1 IN IP4 203.0.113.5",
      "s=-",
      "c=IN IP4 203.0.113.5",
      "t=0 0",
      "m=audio 20000 RTP/AVP 8 100",
      "a=rtpmap:8 PCMA/8000",
      "a=rtpmap:100 telephone-event/8000",
      "a=fmtp:100 0-15",
      "a=ptime:20",
      "a=rtcp:20001",
      "a=sendrecv",
      "m=video 0 RTP/AVP 96",
    ),
  );
});

test("of the same call offered plain and encrypted, the encrypted one is taken when we may", () => {
  const twice = lines(
    "v=0",
    "c=IN IP4 198.51.100.7",
    "m=audio 4000 RTP/AVP 8",
    "m=audio 4002 RTP/SAVP 8",
    `a=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:${THEIR_KEY}`,
  );
  expect(agreedOn(twice).remote.port).toBe(4000);
  const safe = answerOffer(parsed(twice), { ...preference, srtp: "allow", srtpKeys: KEYS });
  if (safe.is === "refused") throw new Error(safe.why);
  expect(safe.agreed.remote.port).toBe(4002);
  expect(safe.answer.media.map((line) => line.port)).toEqual([0, 20_000]);
  expect(printSdp(safe.answer)).toContain(`a=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:${KEY}\r\n`);
});

test.each([
  ["a=sendrecv", "sendrecv", false],
  ["a=sendonly", "recvonly", true],
  ["a=recvonly", "sendonly", false],
  ["a=inactive", "inactive", true],
  ["c=IN IP4 0.0.0.0", "recvonly", true],
] as const)("when they say %s we do %s", (said, direction, held) => {
  const offer = lines("v=0", "c=IN IP4 198.51.100.7", "m=audio 4000 RTP/AVP 8", said);
  const agreed = agreedOn(offer);
  expect(agreed.direction).toBe(direction);
  expect(isHeldByThem(agreed)).toBe(held);
});

test("a direction for the whole session holds where the line says nothing", () => {
  const held = lines("v=0", "c=IN IP4 198.51.100.7", "a=sendonly", "m=audio 4000 RTP/AVP 8");
  expect(agreedOn(held).direction).toBe("recvonly");
  expect(agreedOn(`${held}a=sendrecv\r\n`).direction).toBe("sendrecv");
});

test("we hold them by offering less, and never get more than we asked for", () => {
  expect(agreedOn(baresip, { direction: "sendonly" }).direction).toBe("sendonly");
  expect(agreedOn(baresip, { direction: "inactive" }).direction).toBe("inactive");
});

test("reports share the port when they ask for it", () => {
  const muxed = answerOffer(parsed(`${baresip}a=rtcp-mux\r\n`), preference);
  if (muxed.is === "refused") throw new Error(muxed.why);
  expect(muxed.agreed.rtcpMux).toBe(true);
  expect(printSdp(muxed.answer)).toContain("a=rtcp-mux\r\n");
});

test("what we offer can be read by ourselves, and each answer to it is understood", () => {
  const offer = makeOffer({ ...preference, srtp: "require", srtpKeys: KEYS });
  expect(offer.media[0]!.protocol).toBe("RTP/SAVP");
  expect(offer.media[0]!.formats).toEqual(["8", "0", "9", "107", "101", "110"]);
  const theirs: Preference = {
    ...preference,
    address: "198.51.100.7",
    port: 4000,
    srtp: "allow",
    srtpKeys: THEIR_KEYS,
  };
  const answered = answerOffer(parsed(printSdp(offer)), { ...theirs, codecs: ["opus"] });
  if (answered.is === "refused") throw new Error(answered.why);
  const understood = readAnswer(parsed(printSdp(answered.answer)), { ...preference, srtp: "require", srtpKeys: KEYS });
  expect(understood).toEqual({
    is: "agreed",
    agreed: {
      codec: "opus",
      payloadType: 107,
      telephoneEvent: 110,
      remote: { address: "198.51.100.7", port: 4000 },
      remoteRtcpPort: 4001,
      direction: "sendrecv",
      srtp: { suite: "AES_CM_128_HMAC_SHA1_80", localKey: KEY, remoteKey: THEIR_KEY },
    },
  });
});

test("an answer with numbers of its own is sent to by its numbers and heard by ours", () => {
  const answer = lines(
    "v=0",
    "c=IN IP4 198.51.100.7",
    "m=audio 4000 RTP/AVP 120 96",
    "a=rtpmap:120 opus/48000/2",
    "a=rtpmap:96 telephone-event/48000",
  );
  expect(readAnswer(parsed(answer), preference)).toMatchObject({
    agreed: { payloadType: 120, payloadTypeIn: 107, telephoneEvent: 96, telephoneEventIn: 110 },
  });
});

test("of several codecs in an answer the first is what they will send", () => {
  const answer = lines("v=0", "c=IN IP4 198.51.100.7", "m=audio 4000 RTP/AVP 0 8 101");
  expect(readAnswer(parsed(answer), preference)).toMatchObject({ agreed: { codec: "PCMU", payloadType: 0 } });
  expect(readAnswer(parsed(lines("v=0", "m=audio 0 RTP/AVP 8")), preference)).toEqual({
    is: "refused",
    why: "no-audio",
  });
});

const SUITES = ["AES_CM_128_HMAC_SHA1_80", "AEAD_AES_256_GCM", "AEAD_AES_128_GCM", "AES_CM_128_HMAC_SHA1_32"] as const;

test("an opportunistic offer is a plain line with keys of every suite, which whoever cannot encrypt passes over", () => {
  const ours: Preference = { ...preference, srtp: "allow", form: "opportunistic", srtpKeys: KEYS };
  const offer = printSdp(makeOffer(ours));
  expect(offer).toContain("m=audio 20000 RTP/AVP ");
  for (const [place, suite] of SUITES.entries()) expect(offer).toContain(`a=crypto:${place + 1} ${suite} inline:`);
  const theirs: Preference = { ...preference, srtpKeys: THEIR_KEYS };
  for (const srtp of ["never", "allow", "require"] as const) {
    const answered = answerOffer(parsed(offer), { ...theirs, srtp });
    if (answered.is === "refused") throw new Error(answered.why);
    expect(answered.answer.media[0]!.protocol).toBe("RTP/AVP");
    const understood = readAnswer(parsed(printSdp(answered.answer)), ours);
    const srtpKeys = { suite: SUITES[0], localKey: KEY, remoteKey: THEIR_KEY };
    expect(understood).toMatchObject({ is: "agreed", agreed: srtp === "never" ? {} : { srtp: srtpKeys } });
    if (understood.is === "agreed" && srtp === "never") expect(understood.agreed.srtp).toBeUndefined();
  }
  expect(readAnswer(parsed(baresip), { ...ours, srtp: "require" })).toEqual({
    is: "refused",
    why: "encryption-required",
  });
});

test.each(SUITES)("an offer with %s alone is answered with it", (suite) => {
  const key = THEIR_KEYS[suite];
  const offer = lines(
    "v=0",
    "c=IN IP4 198.51.100.7",
    "m=audio 4000 RTP/SAVP 8",
    `a=crypto:3 ${suite} inline:${key}|2^31`,
  );
  const answered = answerOffer(parsed(offer), { ...preference, srtp: "allow", srtpKeys: KEYS });
  if (answered.is === "refused") throw new Error(answered.why);
  expect(answered.agreed.srtp).toEqual({ suite, localKey: KEYS[suite], remoteKey: key });
  expect(printSdp(answered.answer)).toContain(`a=crypto:3 ${suite} inline:${KEYS[suite]}\r\n`);
});

test.each([
  ["a key too short", `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY.slice(4)}`],
  ["a suite we do not know", `a=crypto:1 F8_128_HMAC_SHA1_80 inline:${KEY}`],
  ["what would not be encrypted", `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY} UNENCRYPTED_SRTP`],
  ["no key at all", "a=crypto:1 AES_CM_128_HMAC_SHA1_80"],
])("an encrypted line with %s is refused", (_what, crypto) => {
  const offer = lines("v=0", "c=IN IP4 198.51.100.7", "m=audio 4000 RTP/SAVP 8", crypto);
  const answered = answerOffer(parsed(offer), { ...preference, srtp: "allow", srtpKeys: KEYS });
  expect(answered).toEqual({ is: "refused", why: "encryption-not-possible" });
});

const PRINT = "AB".repeat(32);
const dtlsOffer = (setup: string, ...more: string[]) =>
  lines(
    "v=0",
    "c=IN IP4 198.51.100.7",
    "m=audio 4000 UDP/TLS/RTP/SAVP 8",
    `a=fingerprint:SHA-256 ${(PRINT.match(/../g) ?? []).join(":")}`,
    `a=setup:${setup}`,
    ...more,
  );
const withDtls: Preference = {
  ...preference,
  srtp: "allow",
  srtpKeys: KEYS,
  fingerprint: { hash: "sha-256", value: "0c".repeat(32) },
};

test.each([
  ["actpass", "passive", false],
  ["active", "passive", false],
  ["passive", "active", true],
] as const)("a desk phone's DTLS without ICE, setup %s, is answered as %s", (setup, ours, isClient) => {
  const answered = answerOffer(parsed(dtlsOffer(setup)), withDtls);
  if (answered.is === "refused") throw new Error(answered.why);
  expect(answered.agreed.dtls).toEqual({ isClient, fingerprints: [{ hash: "sha-256", value: PRINT.toLowerCase() }] });
  const text = printSdp(answered.answer);
  expect(text).toContain("m=audio 20000 UDP/TLS/RTP/SAVP 8\r\n");
  expect(text).toContain(`a=setup:${ours}\r\n`);
  expect(text).toContain("a=fingerprint:sha-256 0C:0C:");
});

test("DTLS is for the gateway with ICE, and for nobody where we have no certificate", () => {
  expect(answerOffer(parsed(dtlsOffer("actpass", "a=ice-ufrag:x", "a=ice-pwd:y")), withDtls)).toMatchObject({
    why: "webrtc",
  });
  const { fingerprint: _, ...without } = withDtls;
  expect(answerOffer(parsed(dtlsOffer("actpass")), without)).toMatchObject({ why: "encryption-not-possible" });
});

test("what we offer by DTLS is understood when it is answered", () => {
  const offer = printSdp(makeOffer({ ...withDtls, form: "dtls" }));
  expect(offer).toContain("a=setup:actpass\r\n");
  const understood = readAnswer(parsed(dtlsOffer("active")), { ...withDtls, form: "dtls" });
  expect(understood).toMatchObject({ is: "agreed", agreed: { dtls: { isClient: false } } });
});
