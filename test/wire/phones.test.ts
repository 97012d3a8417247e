// What phones of others do besides calling: forward by their own key, go silent, and write to each other.

import { afterEach, beforeAll, expect, test } from "vitest";
import { type Sipp, startSipp } from "../carriers/sipp.ts";
import { wanting } from "../carriers/sipp-changes.ts";
import { account, forwardsTo, picksUpRinging, registerScenario, sendsOn } from "../carriers/sipp-phones.ts";
import { TONE_HZ, takesCall } from "../carriers/sipp-scenarios.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import type { Linphonec } from "../phones/linphonec.ts";
import { recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let ann: Baresip;
let bob: Baresip;
let carl: Baresip;
let writer: Linphonec;
let domain: string;

beforeAll(async () => {
  town = await realTown();
  domain = town.firstRun.exchange.sip_domain;
  // SIPp knows nothing but its scenario.
  await town.command("exchange", "set", "qualify-seconds=0");
  [ann, bob, carl, writer] = await Promise.all([
    town.phone("1000", 440),
    town.phone("1001", 660),
    town.phone("1003", 550, {
      config: ["module_app contact.so", "module_app presence.so"],
      account: "pubint=120",
      contacts: [`"Ann" <sip:1000@${domain}>;presence=p2p`],
    }),
    town.linphonec("1004", 700, {
      config: { friend_0: [`url="Carl" <sip:1003@${domain}>`, "pol=accept", "subscribe=1"] },
    }),
  ]);
});

afterEach(() => {
  for (const phone of [ann, bob, carl]) phone.forget();
});

const passwordOf = (wanted: string) => town.firstRun.extensions.find(({ number }) => number === wanted)?.password ?? "";

/** Goes through its scenario once, as a phone of that extension. */
async function plays(number: string, scenario: string): Promise<Sipp> {
  const sipp = await startSipp({
    scenario,
    server: town.santral.run.sip ?? "",
    accounts: [account(number, passwordOf(number))],
    calls: 1,
  });
  town.keep({ kill: () => sipp.end() });
  return sipp;
}

/** A SIPp that calls to that extension come to. */
async function standsFor(
  number: string,
  story: string,
  { userAgent = "SIPp", calls }: { userAgent?: string; calls?: number } = {},
): Promise<Sipp> {
  const phone = await startSipp({ scenario: story, ...(calls && { calls }) });
  town.keep({ kill: () => phone.end() });
  const contactHost = `127.0.0.1:${phone.port}`;
  const scenario = registerScenario({ domain, contactHost, userAgent });
  // It takes the first challenge only: under another name it is asked in the order it knows once it has failed.
  await eventually("it is registered", async () => (await (await plays(number, scenario)).done).code === 0);
  return phone;
}

async function accepts(phone: Baresip): Promise<void> {
  await phone.event("CALL_INCOMING");
  await phone.command("accept");
  await phone.event("CALL_ESTABLISHED");
}

test(
  "a phone forwards by its own key: a caller is followed, a group only where it says so, and originate is told",
  shows(
    ["calls: forward key (302)", "calls: forward key (302) in a group", "interface: originate to a forwarded phone"],
    "SIPp",
    "baresip",
  ),
  async () => {
    await standsFor("1002", forwardsTo(`sip:1001@${domain}`));
    await ann.dial("1002");
    await accepts(bob);
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    await town.command("group", "create", "610", "Desks", "strategy=sequential", "--members", "1002,1003");
    await ann.dial("610");
    await accepts(carl);
    await talked([ann, 550], [carl, 440]);
    await ann.hangUp();
    await carl.event("CALL_CLOSED");
    await town.command("group", "set", "610", "follows-forwards=yes");
    await ann.dial("610");
    await accepts(bob);
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    const uuid = await town.ask("/originate", { extension: "1002", destination: "1000", manual_answer: "true" });
    const { cdr } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({ result: "Cihaz yönlendirmesi" });
  },
);

test(
  "a colleague picks up what rings by INVITE with Replaces, as the lamp tells it",
  shows("transfers: pick-up by Replaces of a ringing call", "SIPp", "baresip"),
  async () => {
    const anns = await earOf(ann);
    await ann.dial("1001");
    await bob.event("CALL_INCOMING");
    const colleague = await plays("1005", picksUpRinging(domain, "1001"));
    await colleague.meanwhile(ann.event("CALL_ESTABLISHED"));
    await bob.event("CALL_CLOSED");
    await colleague.meanwhile(anns.hears(TONE_HZ.PCMA));
    expect(await colleague.done).toMatchObject({ code: 0 });
    await ann.event("CALL_CLOSED");
  },
);

test(
  "who sends a call on by REFER is told that it is tried, that it rings, and that it is done",
  shows("transfers: NOTIFY to who transfers", "SIPp", "baresip"),
  async () => {
    const transferor = await plays("1005", sendsOn(domain, { called: "1001", to: "1000" }));
    await transferor.meanwhile(accepts(bob));
    await transferor.meanwhile(accepts(ann));
    expect(await transferor.done).toMatchObject({ code: 0 });
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  },
);

test(
  "a text waits for the phone it is meant for, and one to a phone that is there arrives at once",
  shows("calls: texts (MESSAGE)", "linphonec"),
  async () => {
    writer.types(`chat sip:1005@${domain} first-of-all`);
    await eventually("the text is kept", async () => /first-of-all/.test(writer.log()));
    const reader = await town.linphonec("1005", 800);
    await eventually("the text has come", async () => /received from .*first-of-all/.test(reader.log()));
    writer.types(`chat sip:1005@${domain} and-another`);
    await eventually("the other text has come", async () => /received from .*and-another/.test(reader.log()));
  },
);

test(
  "a phone publishes that its owner is away and back, and those who watch him see it",
  shows(["lamps: presence (PIDF) watched", "lamps: presence published (PUBLISH)"], "baresip", "linphonec"),
  async () => {
    await eventually("baresip sees Ann", async () => /Online.*Ann/.test((await carl.command("contacts")).data ?? ""));
    writer.forget();
    await carl.command("presence_offline");
    await writer.says(/"Carl" .* is Offline/);
    await carl.command("presence_online");
    await writer.says(/"Carl" .* is Online/);
  },
);

test(
  "a phone that is gone without a word keeps no caller waiting",
  shows("calls: to a phone that is gone", "baresip"),
  async () => {
    await town.command("extension", "set", "1003", "forward-unreachable=user/1001");
    await carl.kill();
    await ann.dial("1003");
    await bob.event("CALL_INCOMING");
    await bob.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  },
);

test(
  "a phone is asked to answer by itself in the words of its maker, by originate and by intercom",
  shows(["interface: originate answered by itself", "calls: intercom"], "SIPp", "baresip"),
  async () => {
    const usual = { "Call-Info": "answer-after=0", "Answer-Mode": "Auto" };
    for (const [userAgent, alert, ask] of [
      ["Yealink SIP-T46S 66.86.0.15", "info=alert-autoanswer;delay=0", originates],
      ["PolycomVVX-VVX_411-UA/5.9", "Ring Answer", intercoms],
    ] as const) {
      const phone = await standsFor("1002", wanting(takesCall, { ...usual, "Alert-Info": alert }), {
        userAgent,
        calls: 1,
      });
      await phone.meanwhile(ask());
      expect(await phone.done).toMatchObject({ code: 0 });
      ann.forget();
    }
  },
);

async function originates(): Promise<void> {
  await town.ask("/originate", { extension: "1002", destination: "1000" });
  await accepts(ann);
  await ann.hangUp();
}

async function intercoms(): Promise<void> {
  await ann.dial("*541002");
  await ann.event("CALL_ESTABLISHED");
  await ann.hangUp();
}
