// A carrier that sends its session description as one part of several (RFC 5621).

import { beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { startSipp } from "../carriers/sipp.ts";
import { inParts, refusedWith } from "../carriers/sipp-changes.ts";
import { callsIn, takesCall } from "../carriers/sipp-scenarios.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { expectHeard } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const OWN_NUMBER = "908505321111";

let town: RealTown;
let ann: Baresip;

beforeAll(async () => {
  town = await realTown();
  ann = await town.phone("1000", 440, { answerMode: "auto" });
});

test(
  "its answer is understood, and the caller hears himself come back",
  shows("trunks: multipart answer", "SIPp"),
  async () => {
    const carrier = await startSipp({ address: CARRIER_ADDRESS, calls: 1, scenario: inParts(takesCall), echo: true });
    const reach = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
    await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
    await town.trunkIsUp("carrier");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
    await expectHeard(ann, 440);
  },
);

test("its offer is understood, and it is heard", shows("trunks: multipart offer", "SIPp"), async () => {
  await town.command("number", "create", OWN_NUMBER, "user/1000");
  const caller = await startSipp({
    address: CARRIER_ADDRESS,
    calls: 1,
    server: town.santral.run.sip ?? "",
    number: OWN_NUMBER,
    scenario: inParts(callsIn("905321234567")),
  });
  await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
  await ann.event("CALL_CLOSED");
  expect(await caller.done).toMatchObject({ code: 0 });
  await expectHeard(ann, 1200);
});

test("one that must be understood and is not is refused with what we take", async () => {
  const strict = inParts(callsIn("905321234567")).replace(";handling=optional", "");
  const refused = refusedWith(strict, 415, { header: "Accept", says: "application/sdp" });
  const caller = await startSipp({
    address: CARRIER_ADDRESS,
    calls: 1,
    server: town.santral.run.sip ?? "",
    number: OWN_NUMBER,
    scenario: refused,
  });
  expect(await caller.done).toMatchObject({ code: 0 });
});
