// Encryption, keys and signs of life with phones that somebody else wrote; and offers that nobody can take.

import { afterEach, beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { startSipp } from "../carriers/sipp.ts";
import { refusedWith } from "../carriers/sipp-changes.ts";
import { callsIn, reply, takesCall } from "../carriers/sipp-scenarios.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { expectHeard } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

const OWN_NUMBER = "908505321111";
const MEDIA_TIMEOUT_MS = 4_000;
/** Nothing else is heard while a key is. */
const SILENCE_HZ = 0;

let town: RealTown;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown({ SANTRAL_MEDIA_TIMEOUT: String(MEDIA_TIMEOUT_MS / 1_000) });
  await town.command("number", "create", OWN_NUMBER, "user/1000");
  await town.command("menu", "create", "17", "Menu", "keys=7:user/1000", "key-seconds=30");
  await town.command(
    "trunk",
    "create",
    "carrier",
    CARRIER_ADDRESS,
    `source-addresses=${CARRIER_ADDRESS}`,
    "health-check=no",
    "hears-inband=yes",
  );
  await town.trunkIsUp("carrier");
  [ann, bob] = await Promise.all([
    town.phone("1000", 440, { answerMode: "auto" }),
    town.phone("1001", 660, { answerMode: "auto" }),
  ]);
});

afterEach(() => {
  for (const phone of [ann, bob]) phone.forget();
});

const DTLS = { config: ["module dtls_srtp.so"], account: "mediaenc=dtls_srtp" };

/** The suite by which its phone says that voice is encrypted. */
const suiteOf = async (phone: Baresip) =>
  String((await phone.event("CALL_MENC")).param)
    .split(",")
    .at(-1);

async function hearEachOther(from: Baresip, to: Baresip, number: string, tones: [from: number, to: number]) {
  await from.dial(number);
  await from.event("CALL_ESTABLISHED");
  await talked([from, tones[1]], [to, tones[0]]);
  await from.hangUp();
  await Promise.all([from.event("CALL_CLOSED"), to.event("CALL_CLOSED")]);
  await expectHeard(from, tones[1]);
  await expectHeard(to, tones[0]);
}

const theCarrier = (scenario: string, more: { transport?: "tcp"; echo?: boolean; number?: string } = {}) =>
  startSipp({
    address: CARRIER_ADDRESS,
    calls: 1,
    server: town.santral.run.sip ?? "",
    number: OWN_NUMBER,
    scenario,
    ...more,
  });

test.each([
  ["RTP and RTCP apart", []],
  ["both at one port", ["rtcp_mux yes"]],
])(
  "a desk phone agrees on keys by DTLS without ICE: %s",
  shows("encryption: DTLS-SRTP without ICE", "baresip"),
  async (_how, config) => {
    await town.command("extension", "set", "1003", "srtp=required");
    const dora = await town.phone("1003", 880, { ...DTLS, config: [...DTLS.config, ...config] });
    await hearEachOther(dora, ann, "1000", [880, 440]);
    await dora.kill();
  },
);

test.each([
  ["SDES", "encryption: SRTP offered after a refusal", { account: "mediaenc=srtp-mand" }],
  ["DTLS", "encryption: DTLS-SRTP offered after a refusal", DTLS],
] as const)(
  "a phone that insists on encryption by %s is called where nobody asked for any",
  async (_how, _feature, how) => {
    await town.command("extension", "set", "1003", "srtp=answered");
    const dora = await town.phone("1003", 880, {
      ...how,
      config: "config" in how ? [...how.config] : [],
      answerMode: "auto",
    });
    await hearEachOther(ann, dora, "1003", [440, 880]);
    await dora.kill();
  },
);

test(
  "encryption that is allowed is offered, taken by whoever can and passed over by whoever cannot",
  shows("encryption: SRTP offered, not required (RFC 8643)", "baresip"),
  async () => {
    for (const number of ["1001", "1003"]) await town.command("extension", "set", number, "srtp=allowed");
    const dora = await town.phone("1003", 880, { account: "mediaenc=srtp", answerMode: "auto" });
    const suite = suiteOf(dora);
    await hearEachOther(ann, dora, "1003", [440, 880]);
    expect(await suite).toBe("AES_CM_128_HMAC_SHA1_80");
    await hearEachOther(ann, bob, "1001", [440, 660]);
    await dora.kill();
  },
);

test(
  "where encryption is required, calls without it are refused both ways",
  shows("encryption: required", "baresip"),
  async () => {
    for (const number of ["1001", "1003"]) await town.command("extension", "set", number, "srtp=required");
    const dora = await town.phone("1003", 880, { account: "mediaenc=srtp-mand", answerMode: "auto" });
    const suite = suiteOf(dora);
    await hearEachOther(dora, ann, "1000", [880, 440]);
    expect(await suite).toMatch(/^A/);
    await hearEachOther(ann, dora, "1003", [440, 880]);
    await dora.kill();
    await bob.dial("1000");
    expect((await bob.event("CALL_CLOSED")).param).toContain("488");
    await ann.dial("1001");
    expect((await ann.event("CALL_CLOSED")).param).toContain("488");
    await town.command("extension", "set", "1001", "srtp=answered");
  },
);

test(
  "a phone of another maker encrypts by keys in SDP, calling and called",
  shows("encryption: SRTP with keys in SDP", "linphonec", "baresip"),
  async () => {
    await town.command("extension", "set", "1003", "srtp=required");
    const lin = await town.linphonec("1003", 880, { encrypts: true });
    lin.dial("1000");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 880], [lin, 440]);
    await ann.hangUp();
    await lin.says(/ended/);
    await ann.dial("1003");
    await lin.rings();
    await lin.answers();
    await talked([ann, 880], [lin, 440]);
    await ann.hangUp();
    await lin.kill();
  },
);

test(
  "a phone whose keys are tones in its voice finds its way through a menu",
  shows("keys: tones in the voice, heard", "linphonec"),
  async () => {
    await town.command("extension", "set", "1003", "srtp=answered");
    const lin = await town.linphonec("1003", SILENCE_HZ, { tonesForKeys: true });
    lin.dial("17");
    await lin.says(/Media streams established/);
    lin.types("7");
    await ann.event("CALL_ESTABLISHED");
    await ann.hangUp();
    await lin.kill();
  },
);

test(
  "keys that a carrier sends as tones although it agreed on events are heard where its trunk says so",
  shows("keys: tones in the voice, heard where events were agreed", "SIPp", "baresip"),
  async () => {
    await town.command("number", "create", "908505322222", "ivr/17");
    const presses = callsIn("905321234567")
      .replace("RTP/AVP 8", "RTP/AVP 8 101")
      .replace("a=rtpmap:8 PCMA/8000", "a=rtpmap:8 PCMA/8000\na=rtpmap:101 telephone-event/8000")
      .replace("tone.al,1,8", "key.al,-1,8")
      .replace(
        / {2}<pause milliseconds="3000"\/>[\s\S]*$/,
        `  <recv request="BYE"/>\n  ${reply("200 OK", { tag: "" })}\n</scenario>\n`,
      );
    const caller = await theCarrier(presses, { number: "908505322222" });
    await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
    await ann.hangUp();
    expect(await caller.done).toMatchObject({ code: 0 });
  },
);

test(
  "an offer with nothing that we speak is refused at once with the reason, and nobody rings",
  shows("calls: an offer that cannot be taken is refused at once", "SIPp"),
  async () => {
    const unfit = callsIn("905321234567").replace(
      /m=audio .*\na=rtpmap:.*/,
      "m=audio [rtpstream_audio_port] RTP/AVP 99\na=rtpmap:99 MORSE/8000",
    );
    const caller = await theCarrier(refusedWith(unfit, 488, { header: "Warning", says: "305 .*codec" }));
    expect(await caller.done).toMatchObject({ code: 0 });
  },
);

test(
  "an INVITE of 20,000 octets over TCP is a call like any other",
  shows("calls: INVITE of 20,000 octets over TCP", "SIPp"),
  async () => {
    const padding = Array.from({ length: 195 }, (_, at) => `X-Pad-${at}: ${"x".repeat(90)}`).join("\n");
    const caller = await theCarrier(
      callsIn("905321234567").replace("Max-Forwards: 70", `Max-Forwards: 70\n${padding}`),
      { transport: "tcp" },
    );
    await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
    await ann.event("CALL_CLOSED");
    expect(await caller.done).toMatchObject({ code: 0 });
    await expectHeard(ann, 1200);
  },
);

test(
  "a carrier that knows no telephone-event but INFO gets keys by INFO",
  shows("keys: sent by INFO where that is what the other side has", "SIPp", "baresip"),
  async () => {
    const takesKey = takesCall
      .replace(/(200 OK[\s\S]*?Contact: .*\n)(Content-Type)/, "$1Allow: INVITE, ACK, BYE, CANCEL, INFO\n$2")
      .replace(
        '  <recv request="BYE"/>',
        `  <recv request="INFO"><action><ereg regexp="Signal=5" search_in="body" check_it="true" assign_to="1"/></action></recv>
  ${reply("200 OK", { tag: "" })}
  <Reference variables="1"/>
  <recv request="BYE"/>`,
      );
    const carrier = await startSipp({ address: CARRIER_ADDRESS, calls: 1, scenario: takesKey, echo: true });
    await town.command("trunk", "set", "carrier", `port=${carrier.port}`);
    await town.trunkIsUp("carrier");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.command("sndcode", "5");
    await ann.command("sndcode", "\x04");
    const heard = carrier.meanwhile(earOf(ann).then((ear) => ear.hears(440)));
    await heard;
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
  },
);

test(
  "a carrier that knows neither events nor INFO gets keys as tones",
  shows("keys: sent as tones where nothing else is there", "SIPp", "baresip"),
  async () => {
    const carrier = await startSipp({ address: CARRIER_ADDRESS, calls: 1, scenario: takesCall, echo: true });
    await town.command("trunk", "set", "carrier", `port=${carrier.port}`);
    await town.trunkIsUp("carrier");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    const anns = await earOf(ann);
    await ann.command("sndcode", "5");
    await ann.command("sndcode", "\x04");
    await carrier.meanwhile(anns.hears(1_336, { forMs: 60, level: CLEAR / 2 }));
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
  },
);

test(
  "a caller of whom nothing is heard any more is hung up on; one on hold lives on",
  shows("voice: a call without a sign of life ends", "SIPp"),
  async () => {
    const vanishes = callsIn("905321234567").replace(
      / {2}<pause milliseconds="3000"\/>[\s\S]*$/,
      `  <nop><action><exec rtp_stream="pause"/></action></nop>
  <recv request="BYE" timeout="30000"/>
  ${reply("200 OK", { tag: "" })}
</scenario>
`,
    );
    const caller = await theCarrier(vanishes);
    await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
    expect(await caller.done).toMatchObject({ code: 0 });
    await ann.event("CALL_CLOSED");

    const anns = await earOf(ann);
    await bob.dial("1000");
    await bob.event("CALL_ESTABLISHED");
    await anns.hears(660);
    await bob.command("hold");
    await anns.hearsWhat("no more of him", ({ level }) => level(660) < CLEAR, MEDIA_TIMEOUT_MS * 1.5);
    await bob.command("resume");
    await anns.hears(660);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
  },
);
