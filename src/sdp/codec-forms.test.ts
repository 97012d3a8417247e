// Codecs whose payload can be written in several ways: what is offered, answered and agreed about them.

import { expect, test } from "vitest";
import type { Preference } from "./agreed.ts";
import { answerOffer, makeOffer, readAnswer } from "./negotiate.ts";
import { parseSdp } from "./parse.ts";
import { printSdp } from "./print.ts";
import type { SessionDescription } from "./session.ts";

const preference: Preference = {
  codecs: ["AMR-WB", "speex16", "AMR", "GSM", "speex", "PCMA"],
  address: "203.0.113.5",
  port: 20_000,
  session: { id: "42", version: 1 },
};

function described(...audio: string[]): SessionDescription {
  const head = ["v=0", "o=- 1 1 IN IP4 198.51.100.7", "s=-", "c=IN IP4 198.51.100.7", "t=0 0"];
  const result = parseSdp(`${[...head, ...audio].join("\r\n")}\r\n`);
  if (result.is === "malformed") throw new Error(result.why);
  return result.description;
}

function answered(...audio: string[]) {
  const result = answerOffer(described(...audio), preference);
  if (result.is !== "answered") return result.why;
  const { codec, payloadType, form, telephoneEvent } = result.agreed;
  const fmtp = printSdp(result.answer)
    .split("\r\n")
    .filter((line) => /^a=fmtp:(?!101)/.test(line) && !/ 0-15$/.test(line));
  return { codec, payloadType, form, telephoneEvent, fmtp };
}

test("each form of AMR has a number of its own in our offer, and each clock its keys", () => {
  const offer = printSdp(makeOffer(preference));
  expect(offer).toContain("m=audio 20000 RTP/AVP 113 115 99 112 114 3 98 8 109 101");
  expect(offer).toContain("a=rtpmap:112 AMR/8000\r\na=fmtp:112 octet-align=1\r\na=rtpmap:114 AMR/8000\r\n");
  expect(offer).toContain("a=rtpmap:109 telephone-event/16000");
  expect(offer).toContain("a=rtpmap:99 speex/16000");
  expect(offer).toContain("a=rtpmap:98 speex/8000");
  expect(offer).toContain("a=rtpmap:3 GSM/8000");
});

test("AMR is answered in the form it was offered in, within their modes", () => {
  expect(
    answered(
      "m=audio 4000 RTP/AVP 96 97 101",
      "a=rtpmap:96 AMR/8000",
      "a=fmtp:96 mode-set=0,2,4,7; mode-change-period=2; max-red=0",
      "a=rtpmap:97 AMR/8000",
      "a=fmtp:97 octet-align=1",
      "a=rtpmap:101 telephone-event/8000",
    ),
  ).toEqual({
    codec: "AMR",
    payloadType: 96,
    form: "mode-set=0,2,4,7",
    telephoneEvent: 101,
    fmtp: ["a=fmtp:96 mode-set=0,2,4,7"],
  });
  expect(
    answered("m=audio 4000 RTP/AVP 97", "a=rtpmap:97 AMR-WB/16000/1", "a=fmtp:97 octet-align=1;mode-set=0,1,2"),
  ).toMatchObject({ codec: "AMR-WB", form: "octet-align=1;mode-set=0,1,2" });
});

test("a form of AMR that we cannot speak is passed over", () => {
  const strange = [
    "octet-align=1;crc=1",
    "robust-sorting=1",
    "interleaving=4",
    "mode-set=9,12",
    "mode-set=a,b",
    "channels=2",
  ];
  for (const fmtp of strange) {
    expect(answered("m=audio 4000 RTP/AVP 96", "a=rtpmap:96 AMR/8000", `a=fmtp:96 ${fmtp}`)).toBe("no-common-codec");
    const both = ["m=audio 4000 RTP/AVP 96 97", "a=rtpmap:96 AMR/8000", `a=fmtp:96 ${fmtp}`, "a=rtpmap:97 AMR/8000"];
    expect(answered(...both)).toMatchObject({ payloadType: 97, form: "", fmtp: [] });
  }
});

test("the clock tells the two kinds of Speex apart, and their modes are kept to", () => {
  const offer = (rate: number, fmtp: string) =>
    answered("m=audio 4000 RTP/AVP 96", `a=rtpmap:96 SPEEX/${rate}`, `a=fmtp:96 ${fmtp}`);
  expect(offer(8000, "vbr=on")).toMatchObject({ codec: "speex", form: "" });
  expect(offer(16_000, 'mode="10,any"')).toMatchObject({ codec: "speex16", form: "" });
  expect(offer(8000, 'vbr=off;mode="1,3,2"')).toMatchObject({ form: 'mode="3"', fmtp: ['a=fmtp:96 mode="3"'] });
  expect(offer(8000, "mode=77")).toBe("no-common-codec");
  expect(offer(32_000, "vbr=on")).toBe("no-common-codec");
});

test("GSM is known by its number alone", () => {
  expect(answered("m=audio 4000 RTP/AVP 3")).toMatchObject({ codec: "GSM", payloadType: 3, form: undefined });
});

test("an answer is read in the form of the number it names, and without parameters as we offered it", () => {
  const read = (...audio: string[]) => {
    const result = readAnswer(described(...audio), preference);
    return result.is === "agreed" ? result.agreed : result.why;
  };
  expect(read("m=audio 4000 RTP/AVP 114", "a=rtpmap:114 AMR/8000")).toMatchObject({ codec: "AMR", form: "" });
  expect(read("m=audio 4000 RTP/AVP 112", "a=rtpmap:112 AMR/8000")).toMatchObject({ form: "octet-align=1" });
  expect(read("m=audio 4000 RTP/AVP 114", "a=rtpmap:114 AMR/8000")).not.toHaveProperty("payloadTypeIn");
  expect(read("m=audio 4000 RTP/AVP 96", "a=rtpmap:96 AMR/8000", "a=fmtp:96 octet-align=1; mode-set=7")).toMatchObject({
    payloadType: 96,
    payloadTypeIn: 112,
    form: "octet-align=1;mode-set=7",
  });
});
