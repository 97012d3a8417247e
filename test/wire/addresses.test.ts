import { beforeAll, expect, test } from "vitest";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { expectHeard } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let ann: Baresip;
let bob: Baresip;
let six: Baresip;

beforeAll(async () => {
  const port = await freePorts(1);
  town = await realTown({
    SANTRAL_SIP: `0.0.0.0:${port},[::]:${port}`,
  });
  ann = await town.phone("1000", 440, { server: `127.0.0.1:${port}` });
  bob = await town.phone("1001", 660, { server: `127.0.0.1:${port}` });
  six = await town.phone("1002", 880, { server: `[::1]:${port}`, address: "::1" });
});

async function speak(from: [Baresip, number], to: [Baresip, number], number: string): Promise<void> {
  const [caller, callerHz] = from;
  const [called, calledHz] = to;
  await caller.dial(number);
  await called.event("CALL_INCOMING");
  await called.command("accept");
  await caller.event("CALL_ESTABLISHED");
  await talked([caller, calledHz], [called, callerHz]);
  await caller.hangUp();
  await called.event("CALL_CLOSED");
  await expectHeard(caller, calledHz);
  await expectHeard(called, callerHz);
}

test(
  "phones of a server that listens on every address hear each other",
  shows("addresses: every address", "baresip"),
  async () => {
    await speak([ann, 440], [bob, 660], "1001");
  },
);

test("a phone on IPv6 and one on IPv4 hear each other", shows("addresses: IPv6 and IPv4", "baresip"), async () => {
  await speak([ann, 440], [six, 880], "1002");
  await speak([six, 880], [bob, 660], "1001");
});
