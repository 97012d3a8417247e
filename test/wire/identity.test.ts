// Who calls and who is called, as phones and carriers of others are told it.

import { beforeAll, expect, test, vi } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { type CallerIn, callsIn, TONE_HZ } from "../carriers/sipp-scenarios.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf } from "../phones/ear.ts";
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

async function callIn(number: string, who: CallerIn): Promise<Sipp> {
  const scenario = callsIn("905321234567", who);
  return plays({ scenario, server: town.santral.run.sip ?? "", number });
}

async function plays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
