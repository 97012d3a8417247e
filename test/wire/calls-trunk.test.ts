import { beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { startKamailio } from "../carriers/kamailio.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { callsIn, takesCall } from "../carriers/sipp-scenarios.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { endOf, expectHeard, expectStereo, recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const OWN_NUMBER = "908505321111";
const REGISTRAR_ADDRESS = "127.0.0.11";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  ann = await town.phone("1000", 440, { answerMode: "auto" });
});

test(
  "a call goes out by a trunk, and the caller hears himself come back from the carrier",
  shows("trunks: call out", "SIPp", "baresip"),
  async () => {
    const carrier = await carrierPlays({ scenario: takesCall, echo: true });
    const reach = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
    await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
    await town.trunkIsUp("carrier");
    await ann.dial("0532 123 45 67".replaceAll(" ", ""));
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
    await expectHeard(ann, 440);
    const { call_uuid: uuid = "", ...end } = await endOf(events, { direction: "outbound" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    expect(end).toMatchObject({ caller_id_number: "1000", answered: "true", sip_hangup_disposition: "caller" });
    expect(end.outbound_caller_id_number).toMatch(/^90/);
    const { cdr, call_flow: legs } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({ direction: "Giden", destination_number: "05321234567", result: "Cevaplandı" });
    expect(legs.map((leg) => leg.ip_address).sort()).toEqual(["127.0.0.1", CARRIER_ADDRESS]);
  },
);

test(
  "a call comes in by the trunk and leads to the extension its number stands for",
  shows("trunks: call in", "SIPp", "baresip"),
  async () => {
    await town.command("number", "create", OWN_NUMBER, "user/1000");
    const server = town.santral.run.sip ?? "";
    const caller = await carrierPlays({ scenario: callsIn("905321234567"), server, number: OWN_NUMBER });
    await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
    await ann.event("CALL_CLOSED");
    expect(await caller.done).toMatchObject({ code: 0 });
    await expectHeard(ann, 1200);
    const { call_uuid: uuid = "", ...end } = await endOf(events, { direction: "inbound" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    expect(end).toMatchObject({ caller_id_number: "05321234567", connected_user: "1000", answered: "true" });
    const { cdr } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({
      direction: "Gelen",
      caller_id_number: "05321234567",
      destination_number: OWN_NUMBER,
      result: "Cevaplandı",
      sip_hangup_disposition: "caller",
    });
    await expectStereo(town, uuid, { left: 1200, right: 440 });
  },
);

test(
  "a carrier that knows us by our registration calls in right after it was made, and right after a restart",
  shows("trunks: registration", "Kamailio", "SIPp"),
  async () => {
    const password = "a-carrier-password";
    const { address, port, registered } = await startKamailio({ address: REGISTRAR_ADDRESS, password });
    const login = [`port=${port}`, "username=customer", `password=${password}`, "registers=yes", "health-check=no"];
    await town.command("trunk", "create", "registrar", address, ...login);
    const registers = (times: number) =>
      eventually("the trunk has registered", async () => registered().length >= times && registered().at(-1));
    const calls = async () => {
      const caller = await carrierPlays({
        scenario: callsIn("905321234567", { called: OWN_NUMBER }),
        server: `${address}:${port}`,
        number: "customer",
      });
      await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
      await ann.event("CALL_CLOSED");
      expect(await caller.done).toMatchObject({ code: 0 });
    };
    const contact = await registers(1);
    await calls();
    await town.restart();
    expect(await registers(2)).toBe(contact);
    await calls();
    await expectHeard(ann, 1200);
  },
);

test("a number that is not ours is refused, and nobody gets in by a stranger's address", async () => {
  const server = town.santral.run.sip ?? "";
  const wrong = await carrierPlays({ scenario: callsIn("905321234567"), server, number: "908509999999" });
  const stranger = await carrierPlays({
    address: "127.0.0.10",
    scenario: callsIn("905321234567"),
    server,
    number: OWN_NUMBER,
  });
  expect((await wrong.done).code).not.toBe(0);
  expect((await stranger.done).code).not.toBe(0);
});

test(
  "a blocked caller is turned away, and nobody missed his call",
  shows("trunks: blocked callers", "SIPp"),
  async () => {
    await town.post("/blocked_numbers", { number: "05554443322" });
    const server = town.santral.run.sip ?? "";
    const caller = await carrierPlays({ scenario: callsIn("905554443322"), server, number: OWN_NUMBER });
    expect((await caller.done).code).not.toBe(0);
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "05554443322" });
    expect(events.of(uuid)).toEqual(["hangup"]);
    expect(end).toMatchObject({ answered: "false", hangup_cause: "CALL_REJECTED", destination_number: OWN_NUMBER });
    const { cdr } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({ result: "Reddedildi", missed: false, caller_id_number: "05554443322" });
  },
);

async function carrierPlays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
