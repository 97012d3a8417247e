import { createSocket } from "node:dgram";
import { beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { startKamailio } from "../carriers/kamailio.ts";
import { startNameServer, type Zone } from "../carriers/name-server.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { recordsRoute, refusedWith, seeing } from "../carriers/sipp-changes.ts";
import { callsIn, refuses, takesCall } from "../carriers/sipp-scenarios.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { endOf, expectHeard, expectStereo, recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const OWN_NUMBER = "908505321111";
const REGISTRAR_ADDRESS = "127.0.0.11";

const PROXY_ADDRESS = "127.0.0.12";

/** What the name server knows. */
const zone: Zone = {};

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;

beforeAll(async () => {
  const { at } = await startNameServer(zone);
  town = await realTown({ ...PRIVATE_WEBHOOKS, SANTRAL_DNS: at });
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

test(
  "a number that is not ours is refused, and nobody gets in by a stranger's address",
  shows("trunks: a number that is not ours", "SIPp"),
  async () => {
    const server = town.santral.run.sip ?? "";
    const wrong = await carrierPlays({
      scenario: refusedWith(callsIn("905321234567"), 404),
      server,
      number: "908509999999",
    });
    const stranger = await carrierPlays({
      address: "127.0.0.10",
      scenario: callsIn("905321234567"),
      server,
      number: OWN_NUMBER,
    });
    expect(await wrong.done).toMatchObject({ code: 0 });
    expect((await stranger.done).code).not.toBe(0);
  },
);

test(
  "a phone behind the address of a trunk logs in and calls",
  shows("trunks: a phone at a trunk's address", "baresip", "SIPp"),
  async () => {
    await town.command("trunk", "create", "next-door", "127.0.0.1", `port=${await freePorts(1)}`, "health-check=no");
    await town.trunkIsUp("next-door");
    const bob = await town.phone("1001", 660);
    await bob.dial("1000");
    await Promise.all([bob.event("CALL_ESTABLISHED"), ann.event("CALL_ESTABLISHED")]);
    await talked([ann, 660]);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    const end = await endOf(events, { direction: "internal", caller_id_number: "1001" });
    expect(end).toMatchObject({ connected_user: "1000", answered: "true" });
    const server = town.santral.run.sip ?? "";
    const carrier = await carrierPlays({
      address: "127.0.0.1",
      scenario: callsIn("905321234568"),
      server,
      number: OWN_NUMBER,
    });
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await ann.event("CALL_CLOSED");
    expect(await carrier.done).toMatchObject({ code: 0 });
    await town.command("trunk", "delete", "next-door", "--yes");
  },
);

test(
  "whoever dials 112 gets there, whatever bars other calls",
  shows("trunks: emergency numbers", "baresip", "SIPp"),
  async () => {
    for (const name of ["carrier"]) await town.command("trunk", "delete", name, "--yes");
    const known = /INVITE sip:(112|905321234567)@.*From: .*sip:908505321111@/;
    const [refuser, lifeline] = await Promise.all([
      carrierPlays({ scenario: refuses(603), calls: 3 }),
      carrierPlays({ scenario: seeing(takesCall, known), echo: true, calls: 3 }),
    ]);
    const reach = [`source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
    await town.command("trunk", "create", "refuser", CARRIER_ADDRESS, `port=${refuser.port}`, "priority=1", ...reach);
    await town.command(
      ...["trunk", "create", "lifeline", CARRIER_ADDRESS, `port=${lifeline.port}`, "priority=9"],
      ...["channel-limit=1", ...reach],
    );
    await town.command("number", "set", OWN_NUMBER, "trunk=lifeline");
    await town.command("rule", "create", "mobile", "--prefix", "905", "--trunk", "lifeline", "--caller-id", OWN_NUMBER);
    await Promise.all(["refuser", "lifeline"].map((name) => town.trunkIsUp(name)));
    const bob = await town.phone("1001", 660);
    await bob.dial("05321234567");
    await lifeline.meanwhile(bob.event("CALL_ESTABLISHED"));
    // The only channel is taken. Nothing may be spent, dialled or said, and the extension is suspended.
    await town.command("rate", "set", "all", "9");
    await town.command("exchange", "set", "monthly-spending-limit=0.01", "channel-limit=1");
    await town.post("/blocked_numbers", { number: "112", direction: "outbound" });
    await town.ask("/dnd/1000", { state: "on" });
    events.events.length = 0;
    await ann.dial("112");
    await lifeline.meanwhile(ann.event("CALL_ESTABLISHED"));
    await lifeline.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: "112" });
    expect(end).toMatchObject({ direction: "outbound", answered: "true", outbound_caller_id_number: OWN_NUMBER });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    const story = await town.command("call", uuid);
    expect(story).toMatch(/emergency number[\s\S]*by trunk refuser[\s\S]*by trunk lifeline/);
    await ann.dial("05321234567");
    await ann.event("CALL_CLOSED");
    await bob.hangUp();
    await town.command("extension", "set", "1001", "active=no");
    await bob.dial("0112");
    await lifeline.meanwhile(bob.event("CALL_ESTABLISHED"));
    await bob.hangUp();
    expect(await lifeline.done).toMatchObject({ code: 0 });
    await town.command("rate", "delete", "all");
    await town.command("exchange", "set", "monthly-spending-limit=", "channel-limit=");
    await town.ask("/dnd/1000", { state: "off" });
    await town.command("trunk", "delete", "refuser", "--yes");
    await town.command("rule", "delete", "mobile", "--yes");
  },
);

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

test(
  "a proxy before the carrier asks for the password of the call and of its end, and is answered each time",
  shows(["trunks: proxy that asks for a password", "trunks: outbound proxy"], "Kamailio", "SIPp", "baresip"),
  async () => {
    const password = "a-proxy-password";
    const proxy = await startKamailio({ address: PROXY_ADDRESS, password, isProxy: true });
    const carrier = await carrierPlays({ scenario: recordsRoute(takesCall), echo: true });
    const way = [`port=${carrier.port}`, `outbound-proxy=${proxy.address}:${proxy.port}`, "priority=1"];
    const login = ["username=acme", "auth-user=acme-sip", `password=${password}`, "from-user=acme"];
    await town.command("trunk", "create", "proxied", CARRIER_ADDRESS, ...way, ...login);
    await town.trunkIsUp("proxied");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
    await eventually("the BYE was let through", async () => proxy.let().includes("BYE"));
    expect(proxy.asked()).toEqual(["INVITE", "BYE"]);
    expect(proxy.let()).toEqual(["INVITE", "BYE"]);
    const list = await town.command("trunk", "list");
    expect(list).toMatch(/proxied .* up .* 200 OK/);
    await town.command("trunk", "set", "proxied", "active=no");
  },
);

test(
  "a silent server that DNS names first is left for the next in seconds",
  shows(["trunks: failover", "trunks: DNS SRV"], "SIPp", "baresip"),
  async () => {
    const carrier = await carrierPlays({ scenario: takesCall, echo: true });
    const silent = await silentServer();
    zone.addresses = { "silent.carrier.test": [PROXY_ADDRESS], "live.carrier.test": [CARRIER_ADDRESS] };
    zone.services = {
      "_sip._udp.carrier.test": [
        { priority: 1, weight: 1, port: silent.port, name: "silent.carrier.test" },
        { priority: 2, weight: 1, port: carrier.port, name: "live.carrier.test" },
      ],
    };
    await town.command("trunk", "create", "srv", "carrier.test", "priority=2", "health-check=no", "silent-seconds=1");
    await town.trunkIsUp("srv");
    await ann.dial("05321234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    expect(silent.heard()).toMatch(/^INVITE sip:905321234567@carrier.test/);
    await ann.hangUp();
    expect(await carrier.done).toMatchObject({ code: 0 });
    await town.command("trunk", "set", "srv", "active=no");
  },
);

/** Hears what comes, and says nothing. */
async function silentServer(): Promise<{ port: number; heard(): string }> {
  const socket = createSocket("udp4");
  let heard = "";
  socket.on("message", (octets) => {
    heard ||= octets.toString("latin1");
  });
  await new Promise<void>((bound) => socket.bind(0, PROXY_ADDRESS, bound));
  whenOver(() => void socket.close());
  return { port: socket.address().port, heard: () => heard };
}

async function carrierPlays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
