// Encryption, keys and signs of life with phones that somebody else wrote; and offers that nobody can take.

import { afterEach, beforeAll, expect, test } from "vitest";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { expectHeard } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown();
  [ann, bob] = await Promise.all([
    town.phone("1000", 440, { answerMode: "auto" }),
    town.phone("1001", 660, { answerMode: "auto" }),
  ]);
});

afterEach(() => {
  for (const phone of [ann, bob]) phone.forget();
});

const DTLS = { config: ["module dtls_srtp.so"], account: "mediaenc=dtls_srtp" };

async function hearEachOther(from: Baresip, to: Baresip, number: string, tones: [from: number, to: number]) {
  await from.dial(number);
  await from.event("CALL_ESTABLISHED");
  await talked([from, tones[1]], [to, tones[0]]);
  await from.hangUp();
  await to.event("CALL_CLOSED");
  await expectHeard(from, tones[1]);
  await expectHeard(to, tones[0]);
}

test.each([
  ["RTP and RTCP apart", []],
  ["both at one port", ["rtcp_mux yes"]],
])(
  "a desk phone agrees on keys by DTLS without ICE: %s",
  shows("encryption: DTLS-SRTP without ICE", "baresip"),
  async (_how, config) => {
    const dora = await town.phone("1003", 880, { ...DTLS, config: [...DTLS.config, ...config] });
    await hearEachOther(dora, ann, "1000", [880, 440]);
    await dora.kill();
  },
);

/** Whether its phone says that voice is encrypted, and how. */
const secured = async (phone: Baresip) => String((await phone.event("CALL_MENC")).param);

test(
  "a phone that insists on encryption is called by one that has none",
  shows("encryption: SRTP offered after a refusal", "baresip"),
  async () => {
    const dora = await town.phone("1003", 880, { account: "mediaenc=srtp-mand", answerMode: "auto" });
    await hearEachOther(ann, dora, "1003", [440, 880]);
    await dora.kill();
  },
);

test(
  "a phone that insists on DTLS is called by one that has no encryption",
  shows("encryption: DTLS-SRTP offered after a refusal", "baresip"),
  async () => {
    const dora = await town.phone("1003", 880, { ...DTLS, answerMode: "auto" });
    await hearEachOther(ann, dora, "1003", [440, 880]);
    await dora.kill();
  },
);

test(
  "encryption that is allowed is offered, taken by whoever can and passed over by whoever cannot",
  shows("encryption: SRTP offered, not required (RFC 8643)", "baresip"),
  async () => {
    await town.command("extension", "set", "1003", "srtp=allowed");
    await town.command("extension", "set", "1001", "srtp=allowed");
    const dora = await town.phone("1003", 880, { account: "mediaenc=srtp", answerMode: "auto" });
    const tells = secured(dora);
    await hearEachOther(ann, dora, "1003", [440, 880]);
    console.log(await tells);
    await hearEachOther(ann, bob, "1001", [440, 660]);
    await dora.kill();
  },
);

test(
  "where encryption is required, calls without it are refused both ways",
  shows("encryption: required", "baresip"),
  async () => {
    await town.command("extension", "set", "1003", "srtp=required");
    await town.command("extension", "set", "1001", "srtp=required");
    const dora = await town.phone("1003", 880, { account: "mediaenc=srtp-mand", answerMode: "auto" });
    await hearEachOther(dora, ann, "1000", [880, 440]);
    await hearEachOther(ann, dora, "1003", [440, 880]);
    await dora.kill();
    bob.forget();
    await bob.dial("1000");
    expect((await bob.event("CALL_CLOSED")).param).toContain("488");
    await ann.dial("1001");
    expect((await ann.event("CALL_CLOSED")).param).toContain("488");
    await town.command("extension", "set", "1001", "srtp=answered");
  },
);
