// Who calls and who is called, as phones and carriers of others are told it.

import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import type { TracedMessage } from "../../src/store/sip-traces.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { wanting } from "../carriers/sipp-changes.ts";
import { type CallerIn, callsIn, TONE_HZ, takesCall } from "../carriers/sipp-scenarios.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { identityHeader } from "../ground/passport.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import type { Linphonec } from "../phones/linphonec.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 300_000 });

const TO_LINPHONE = "908505321111";
const TO_BARESIP = "908505322222";
const ANONYMOUS: CallerIn = { from: '"Anonymous" <sip:anonymous@anonymous.invalid>', headers: ["Privacy: id"] };

let town: RealTown;
let bare: Baresip;
let lin: Linphonec;

beforeAll(async () => {
  town = await realTown();
  const reach = [`source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
  await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
  await town.trunkIsUp("carrier");
  await town.command("number", "create", TO_LINPHONE, "user/1001");
  await town.command("number", "create", TO_BARESIP, "user/1000");
  [bare, lin] = await Promise.all([town.phone("1000", 440), town.linphonec("1001", 660)]);
});

beforeEach(() => {
  for (const phone of [bare, lin]) phone.forget();
});

test(
  "a withheld number rings linphonec, which answers and hears the caller",
  shows("identity: withheld number rings", "linphonec", "SIPp"),
  async () => {
    const caller = await callIn(TO_LINPHONE, ANONYMOUS);
    expect(await caller.meanwhile(lin.rings())).toContain("anonymous@anonymous.invalid");
    await caller.meanwhile(lin.answers());
    await (await earOf(lin)).hears(TONE_HZ.PCMA);
    expect(await caller.done).toMatchObject({ code: 0 });
    await lin.says(/ended/);
  },
);

test(
  "a withheld number rings baresip, which answers and hears the caller",
  shows("identity: withheld number rings", "baresip", "SIPp"),
  async () => {
    const caller = await callIn(TO_BARESIP, ANONYMOUS);
    const rung = await caller.meanwhile(bare.event("CALL_INCOMING"));
    expect(rung.peeruri).toBe("sip:anonymous@anonymous.invalid");
    await bare.command("accept");
    await (await earOf(bare)).hears(TONE_HZ.PCMA);
    expect(await caller.done).toMatchObject({ code: 0 });
    await bare.event("CALL_CLOSED");
  },
);

test(
  "a phone that dials *67 or *31# is seen by nobody but the carrier, and heard",
  shows("identity: number withheld for one call", "linphonec", "baresip", "SIPp"),
  async () => {
    const hidden = {
      From: '^ *"Anonymous" <sip:anonymous@anonymous.invalid>',
      "P-Asserted-Identity": "<sip:90[0-9]+@",
      Privacy: "^ *id$",
    };
    const first = await carrierTaking("905321234501", hidden);
    lin.dial("*6705321234501");
    await first.meanwhile(lin.says(/Media streams established/));
    await first.meanwhile((await earOf(lin)).hears(660));
    lin.hangUp();
    expect(await first.done).toMatchObject({ code: 0 });
    const second = await carrierTaking("905321234502", hidden);
    await bare.dial("*31#05321234502");
    await second.meanwhile(bare.event("CALL_ESTABLISHED"));
    await second.meanwhile((await earOf(bare)).hears(440));
    await bare.hangUp();
    expect(await second.done).toMatchObject({ code: 0 });
  },
);

test(
  "a carrier that wants Remote-Party-ID is told by it, and by no other header, who calls",
  shows("identity: Remote-Party-ID", "baresip", "SIPp"),
  async () => {
    const wanted = { "Remote-Party-ID": "<sip:90[0-9]+@[^>]*>;party=calling;screen=yes;privacy=off" };
    const carrier = await carrierTaking("905321234503", wanted, "identity=rpid");
    await bare.dial("05321234503");
    await carrier.meanwhile(bare.event("CALL_ESTABLISHED"));
    await bare.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
  },
);

test(
  "a call that is forwarded to a mobile phone shows its caller there and says by whom it comes; what was signed of him goes with it",
  shows("identity: Diversion, History-Info and Identity passed on", "SIPp"),
  async () => {
    const wanted = {
      From: "<sip:905321234567@",
      "P-Asserted-Identity": "<sip:90[0-9]+@",
      Diversion: `<sip:${TO_BARESIP}@[^>]*>;reason=unconditional`,
      "History-Info": `<sip:${TO_BARESIP}@[^>]*cause%3D302>;index=1, *<sip:905321234504@[^>]*>;index=1.1;mp=1`,
      "": "eyJ[^;]*;info=", // Identity, whose name ends those of others too
    };
    const carrier = await carrierTaking("905321234504", wanted, "forwarded-caller=original", "diversion=both");
    await town.command("extension", "set", "1000", "forward-always=external/05321234504");
    const caller = await callIn(TO_BARESIP, { headers: [`Identity: ${signedNow(TO_BARESIP)}`] });
    await carrier.meanwhile(caller.done);
    expect(await carrier.done).toMatchObject({ code: 0 });
    await town.command("extension", "set", "1000", "forward-always=");
  },
);

test(
  "a signature that the trunk's certificate vouches for is in the story, and the phone rings",
  shows("identity: signed caller (STIR) verified", "linphonec", "SIPp"),
  async () => {
    await town.command(
      "trunk",
      "set",
      "carrier",
      "attestation=verified",
      `attestation-certificates=${signer.cert.replaceAll("\n", " ")}`,
    );
    await town.trunkIsUp("carrier");
    const caller = await callIn(TO_LINPHONE, { headers: [`Identity: ${signedNow(TO_LINPHONE)}`] });
    expect(await caller.meanwhile(lin.rings())).toContain("05321234567");
    await caller.meanwhile(lin.answers());
    expect(await caller.done).toMatchObject({ code: 0 });
    await lin.says(/ended/);
    await eventually("the story tells it", async () => {
      const { cdrs } = JSON.parse(await town.ask("/cdrs")) as { cdrs: { call_uuid: string }[] };
      const stories = await Promise.all(cdrs.map(({ call_uuid: uuid }) => town.command("call", uuid)));
      return stories.some((story) => story.includes("signed and verified (attestation A)"));
    });
  },
);

test(
  "after a transfer the phone that stays is told who it talks with now, takes it, and goes on hearing",
  shows("identity: connected line after a transfer", "baresip", "linphonec"),
  async () => {
    const third = await town.phone("1002", 880, { answerMode: "auto" });
    lin.dial("1000");
    await bare.event("CALL_INCOMING");
    await bare.command("accept");
    await lin.says(/Media streams established/);
    await bare.command("transfer", "1002");
    await third.event("CALL_ESTABLISHED");
    await talked([lin, 880], [third, 660]);
    lin.hangUp();
    await third.event("CALL_CLOSED");
    await eventually("it took it", async () => {
      const taken = await statusesOf(/^P-Asserted-Identity: .*<sip:1002@/m);
      return taken.length > 0 && taken.every((status) => status === 200);
    });
  },
);

/** How phones answered what they were told in the middle of a call, by the ladders of all calls. */
async function statusesOf(told: RegExp): Promise<number[]> {
  const { cdrs } = JSON.parse(await town.ask("/cdrs")) as { cdrs: { call_uuid: string }[] };
  const ladder = (uuid: string) =>
    town.command("sip", "ladder", uuid, "--json").then(
      (text) => JSON.parse(text) as TracedMessage[],
      () => [], // it is written a moment after the record
    );
  const messages = (await Promise.all(cdrs.map(({ call_uuid: uuid }) => ladder(uuid)))).flat();
  const lineOf = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1]?.trim();
  const asked = messages.filter(
    ({ direction, text }) =>
      direction === "out" && /^(UPDATE|INVITE) /.test(text) && /^To: .*;tag=/m.test(text) && told.test(text),
  );
  return asked.flatMap(({ text }) => {
    const isAnswer = (it: TracedMessage) =>
      /^SIP\/2\.0 [2-6]/.test(it.text) &&
      ["Call-ID", "CSeq"].every((name) => lineOf(it.text, name) === lineOf(text, name));
    return messages.filter((it) => it.direction === "in" && isAnswer(it)).map((it) => Number(it.text.slice(8, 11)));
  });
}

const signer = selfSigned("carrier.example");

/** Of the caller, for that number of ours, just now. */
function signedNow(number: string): string {
  const claims = { orig: "905321234567", dest: [number], iat: Math.floor(realClock.wall() / 1_000) };
  return identityHeader(signer.key, claims);
}

/** A carrier of its own for that number, which fails when it is not told what it wants. */
async function carrierTaking(
  number: string,
  wanted: Readonly<Record<string, string>>,
  ...settings: string[]
): Promise<Sipp> {
  const sipp = await plays({ scenario: wanting(takesCall, wanted), echo: true });
  const reach = [`port=${sipp.port}`, "source-addresses=127.0.0.77", "health-check=no", ...settings];
  await town.command("trunk", "create", number, CARRIER_ADDRESS, ...reach);
  await town.trunkIsUp(number);
  await town.command("rule", "create", number, "--prefix", number, "--trunk", number);
  return sipp;
}

async function callIn(number: string, who: CallerIn): Promise<Sipp> {
  const scenario = callsIn("905321234567", who);
  return plays({ scenario, server: town.santral.run.sip ?? "", number });
}

async function plays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
