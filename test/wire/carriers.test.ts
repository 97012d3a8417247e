// What carriers do that others wrote: ask at every step, send elsewhere, fail, say nothing, or only try.

import { beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { asksEveryTime, onlyTries, saysNothing } from "../carriers/sipp-carriers.ts";
import { forwardsTo } from "../carriers/sipp-phones.ts";
import { refuses, takesCall } from "../carriers/sipp-scenarios.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const NUMBER = "05321234567";
const OWN_NUMBERS = ["908505321111", "908505322222"];

let town: RealTown;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown();
  for (const number of OWN_NUMBERS) await town.command("number", "create", number, "user/1000");
  await town.command("extension", "set", "1000", `outbound-caller-id=${OWN_NUMBERS[0]}`);
  await town.command("extension", "set", "1001", `outbound-caller-id=${OWN_NUMBERS[1]}`);
  [ann, bob] = await Promise.all([town.phone("1000", 440), town.phone("1001", 660, { answerMode: "auto" })]);
});

async function plays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}

/** A trunk to each, the first first; they are there until what is returned is called. */
async function trunksTo(carriers: readonly Sipp[], ...more: string[]): Promise<() => Promise<void>> {
  const names = carriers.map((_, at) => `carrier-${at}`);
  for (const [at, { port }] of carriers.entries()) {
    const way = [`port=${port}`, `priority=${at + 1}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
    await town.command("trunk", "create", names[at] ?? "", CARRIER_ADDRESS, ...way, ...more);
  }
  await Promise.all(names.map((name) => town.trunkIsUp(name)));
  return async () => {
    for (const name of names) await town.command("trunk", "delete", name, "--yes");
  };
}

test.each([
  ["refuses with 503", refuses(503), []],
  ["says nothing", saysNothing, ["silent-seconds=1"]],
  ["only says that it tries", onlyTries, ["progress-seconds=3"]],
] as const)(
  "a carrier that %s is left for the next, and the caller is heard there",
  shows("trunks: failover to the next trunk", "SIPp", "baresip"),
  async (_, scenario, more) => {
    const [first, second] = await Promise.all([plays({ scenario }), plays({ scenario: takesCall, echo: true })]);
    const gone = await trunksTo([first, second], ...more);
    ann.forget();
    await ann.dial(NUMBER);
    await second.meanwhile(ann.event("CALL_ESTABLISHED"));
    await second.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await first.done).toMatchObject({ code: 0 });
    expect(await second.done).toMatchObject({ code: 0 });
    await gone();
  },
);

test(
  "a carrier that sends the call to another of its servers is followed there",
  shows("trunks: carrier redirects (302)", "SIPp", "baresip"),
  async () => {
    const there = await plays({ scenario: takesCall, echo: true });
    const here = await plays({ scenario: forwardsTo(`sip:9${NUMBER}@${CARRIER_ADDRESS}:${there.port}`) });
    const gone = await trunksTo([here]);
    ann.forget();
    await ann.dial(NUMBER);
    await there.meanwhile(ann.event("CALL_ESTABLISHED"));
    await there.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await here.done).toMatchObject({ code: 0 });
    expect(await there.done).toMatchObject({ code: 0 });
    await gone();
  },
);

test.each(["UPDATE", "INVITE"] as const)(
  "a carrier asks for the password of PRACK, %s and BYE as well, and learns who is on the line after a transfer",
  shows(
    ["trunks: password asked for PRACK, UPDATE, re-INVITE and BYE", "identity: connected line told to a carrier"],
    "SIPp",
    "baresip",
  ),
  async (change) => {
    const login = { user: "acme", password: "a-carrier-password" };
    const carrier = await plays({
      scenario: asksEveryTime({ ...login, change, identity: `sip:${OWN_NUMBERS[1]}@` }),
      echo: true,
    });
    const account = [`username=${login.user}`, `password=${login.password}`, "tells-connected=yes"];
    const gone = await trunksTo([carrier], ...account);
    for (const phone of [ann, bob]) phone.forget();
    await ann.dial(NUMBER);
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.command("transfer", `sip:1001@${town.firstRun.exchange.sip_domain}`);
    await carrier.meanwhile(bob.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([bob, 660]));
    await bob.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
    await gone();
  },
);
