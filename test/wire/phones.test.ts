// What phones of others do besides calling: forward by their own key, go silent, and write to each other.

import { beforeAll, expect, test } from "vitest";
import { startSipp } from "../carriers/sipp.ts";
import { account, forwardsTo, registerScenario } from "../carriers/sipp-phones.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown();
  // SIPp knows nothing but its scenario.
  await town.command("exchange", "set", "qualify-seconds=0");
  [ann, bob] = await Promise.all([town.phone("1000", 440), town.phone("1001", 660)]);
});

test(
  "a phone forwards by its own key to a colleague, who talks with the caller",
  shows("calls: forward key (302)", "SIPp"),
  async () => {
    const domain = town.firstRun.exchange.sip_domain;
    const forwarding = await startSipp({ scenario: forwardsTo(`sip:1001@${domain}`) });
    town.keep({ kill: () => forwarding.end() });
    const password = town.firstRun.extensions.find(({ number }) => number === "1002")?.password ?? "";
    const registration = await startSipp({
      scenario: registerScenario({ domain, contactHost: `127.0.0.1:${forwarding.port}` }),
      server: town.santral.run.sip ?? "",
      accounts: [account("1002", password)],
      calls: 1,
    });
    expect((await registration.done).code).toBe(0);
    await ann.dial("1002");
    await bob.event("CALL_INCOMING");
    await bob.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  },
);

test(
  "a text waits for the phone it is meant for, and one to a phone that is there arrives at once",
  shows("calls: texts (MESSAGE)", "linphonec"),
  async () => {
    const domain = town.firstRun.exchange.sip_domain;
    const writer = await town.linphonec("1004", 700);
    writer.types(`chat sip:1005@${domain} first-of-all`);
    await eventually("the text is kept", async () => /first-of-all/.test(writer.log()));
    const reader = await town.linphonec("1005", 800);
    await eventually("the text has come", async () => /received from .*first-of-all/.test(reader.log()));
    writer.types(`chat sip:1005@${domain} and-another`);
    await eventually("the other text has come", async () => /received from .*and-another/.test(reader.log()));
  },
);

test(
  "a phone that is gone without a word keeps no caller waiting",
  shows("calls: to a phone that is gone", "baresip"),
  async () => {
    const carl = await town.phone("1003", 550);
    await town.command("extension", "set", "1003", "forward-unreachable=user/1001");
    await carl.kill();
    ann.forget();
    bob.forget();
    await ann.dial("1003");
    await bob.event("CALL_INCOMING");
    await bob.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  },
);
