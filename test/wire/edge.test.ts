// Phones and carriers that speak with a Kamailio at the edge alone, and an exchange behind it that knows who they are.

import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { askServer } from "../../src/server/control-client.ts";
import { type Edge, startEdge } from "../carriers/edge.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { callsIn, takesCall } from "../carriers/sipp-scenarios.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { endOf, expectHeard, recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const EDGE_ADDRESS = "127.0.0.31";
/** One through which voice goes as well. */
const RELAYING_ADDRESS = "127.0.0.32";
/** Where the phones are. */
const HOME_ADDRESS = "127.0.0.1";
const CARRIER_ADDRESS = "127.0.0.34";
const STRANGER_ADDRESS = "127.0.0.35";
const OWN_NUMBER = "908505321111";

let town: RealTown;
let edge: Edge;
let relaying: Edge;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  const sip = `127.0.0.1:${await freePorts(1)}`;
  town = await realTown({
    ...PRIVATE_WEBHOOKS,
    SANTRAL_EDGES: `${EDGE_ADDRESS}, ${RELAYING_ADDRESS}`,
    SANTRAL_SIP: sip,
  });
  events = await reportedEvents(town);
  edge = await startEdge({ address: EDGE_ADDRESS, nodes: [sip] });
  relaying = await startEdge({ address: RELAYING_ADDRESS, nodes: [sip], relays: true });
  [ann, bob] = await Promise.all([
    town.phone("1000", 440, { server: edge.at }),
    town.phone("1001", 660, { server: relaying.at, transport: "tcp", answerMode: "auto" }),
  ]);
});

test(
  "two phones behind an edge talk, one over UDP and one over TCP, each known by its own address",
  shows("registration: behind a proxy of one's own", "Kamailio", "baresip"),
  async () => {
    expect(await addressesOfPhones()).toEqual([HOME_ADDRESS, HOME_ADDRESS]);
    await ann.dial("1001");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [bob, 440]);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    await expectHeard(ann, 660);
    expect(relaying.relayed()).toHaveLength(1);
    expect(edge.relayed()).toEqual([]);
    const { call_uuid: uuid = "" } = await endOf(events, { direction: "internal" });
    const { call_flow: legs } = await recordOf(town, uuid);
    expect(legs.map((leg) => leg.ip_address).sort()).toEqual([HOME_ADDRESS, HOME_ADDRESS]);
  },
);

test("a call that is up behind an edge outlives the exchange, and phones are found again after it", async () => {
  ann.forget();
  bob.forget();
  await ann.dial("1001");
  await ann.event("CALL_ESTABLISHED");
  await talked([ann, 660], [bob, 440]);
  await town.restart();
  await talked([ann, 660], [bob, 440]);
  await bob.hangUp();
  await ann.event("CALL_CLOSED");
  expect(await addressesOfPhones()).toEqual([HOME_ADDRESS, HOME_ADDRESS]);
  await ann.dial("1001");
  await ann.event("CALL_ESTABLISHED");
  await ann.hangUp();
  await bob.event("CALL_CLOSED");
});

test(
  "carriers are spoken with through the edge, and known by their own address when they call",
  shows("trunks: behind a proxy of one's own", "SIPp", "Kamailio", "baresip"),
  async () => {
    ann.forget();
    const carrier = await plays({ scenario: takesCall, echo: true });
    const reach = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, `outbound-proxy=${edge.at}`];
    await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach, "health-check=no");
    await town.trunkIsUp("carrier");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });

    await town.command("number", "create", OWN_NUMBER, "user/1001");
    bob.forget();
    const calling = await plays({ scenario: callsIn("905321234567"), server: edge.at, number: OWN_NUMBER });
    await calling.meanwhile(bob.event("CALL_ESTABLISHED"));
    expect(await calling.done).toMatchObject({ code: 0 });
    const { caller_id_number } = await endOf(events, { direction: "inbound" });
    expect(caller_id_number).toBe("05321234567");

    const strange = { scenario: callsIn("905321234567"), server: edge.at, number: OWN_NUMBER };
    const stranger = await plays({ ...strange, address: STRANGER_ADDRESS });
    expect(await stranger.done).toMatchObject({ code: 1 });
  },
);

async function addressesOfPhones(): Promise<string[]> {
  const asked = await askServer(join(town.data, "control.sock"), "contacts", {
    exchange: String(town.firstRun.exchange.id),
  });
  return (asked as { address: string }[]).map(({ address }) => address.replace(/:\d+$/, "")).sort();
}

async function plays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
