// Whoever is let in to call names somebody else's address for the voice of his call. Packets there are counted.

import { beforeAll, expect, test } from "vitest";
import { between, pause, realClock } from "../../src/clock.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { unexpected } from "../ground/unexpected.ts";
import { whenOver } from "../ground/when-over.ts";
import { RtpPhone } from "../phones/rtp-phone.ts";
import { SipPhone, type SoftCall, type SoftPhone } from "../phones/sip-phone.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

/** Loopback is somebody else's where a phone signals over the other family, and a carrier says that its SDP is meant so. */
const VICTIM = "127.0.0.77";
const GATEWAY = "127.0.0.78";
const ANOTHER = "127.0.0.80";
const ABROAD = "127.0.0.8";
const OWN_NUMBER = "908505321111";
/** A queue in which nobody takes a call, with music for those who wait. */
const MUSIC = "200";
const PACKETS_A_SECOND = 50;

let town: RealTown;
let port: number;

beforeAll(async () => {
  port = await freePorts(1);
  town = await realTown({ SANTRAL_SIP: `127.0.0.1:${port},[::1]:${port}` });
  await town.command("number", "create", OWN_NUMBER, `queue/${MUSIC}`);
  await phoneAt("127.0.0.1", "1001", ear("127.0.0.1"));
  await town.command("queue", "members", MUSIC, "1001");
  await town.command("agent", "login", "1001");
  await trunkTo(await phoneAt(CARRIER_ADDRESS, "905321234560", ear(GATEWAY)), "carrier");
});

/** What a carrier says of its voice is meant so. */
async function trunkTo(carrier: SoftPhone, name: string): Promise<void> {
  const [, address = "", carrierPort = ""] = /@(.+):(\d+)>/.exec(carrier.contact) ?? [];
  const ways = [`port=${carrierPort}`, `source-addresses=${address}`, "comedia=never", "health-check=no"];
  await town.command("trunk", "create", name, address, ...ways);
  await town.trunkIsUp(name);
}

/** It names wherever its voice is, and registers unless it is a carrier. */
async function phoneAt(address: string, number: string, voice: () => Promise<RtpPhone>): Promise<SoftPhone> {
  const transport = await openUdp({ address, port: 0 });
  const stack = openStack({ clock: realClock, random: openRandom(), unexpected, transports: [transport] });
  const host = address.includes(":") ? `[${address}]` : address;
  const server = { transport: "udp", address: address.includes(":") ? address : "127.0.0.1", port } as const;
  const known = town.firstRun.extensions.find((it) => it.number === number)?.password;
  const account = { number, password: known ?? "", domain: town.firstRun.exchange.sip_domain, server };
  const voices: RtpPhone[] = [];
  whenOver(async () => {
    for (const one of voices) one.hangUp();
    await stack.close();
  });
  const phone = new SipPhone(stack, account, `<sip:${number}@${host}:${transport.sentBy.port}>`, async () => {
    const one = await voice();
    voices.push(one);
    return one;
  });
  if (known !== undefined) await phone.register();
  return phone;
}

/** Somebody who hears, and never says a word. */
const ear = (address: string) => () => RtpPhone.open({ address, loses: () => true });

async function calls(phone: SoftPhone, number = MUSIC): Promise<SoftCall> {
  const call = await phone.call(number);
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  return call;
}

const hangUp = (all: readonly SoftCall[]) => Promise.all(all.map((call) => call.hangUp()));

/** So much comes where nothing is held back. */
const PLENTY = 6 * PACKETS_A_SECOND;
/** Five seconds, a report or two, and what a machine that was behind sends at once. */
const LITTLE = 5 * PACKETS_A_SECOND + 15;
const QUIET_MS = 2_000;

/** It flows on and on, however slowly the machine. */
async function flowsTo({ voice }: SoftCall): Promise<void> {
  voice.listenAnew();
  await eventually("there is plenty", async () => voice.received.length > PLENTY);
}

/** Datagrams until it is plenty, or nothing comes any more. */
async function packetsTo({ voice }: SoftCall): Promise<number> {
  voice.listenAnew();
  for (let known = -1, since = realClock.ticks(); ; await pause(realClock, 50)) {
    const { length } = voice.received;
    if (length !== known) [known, since] = [length, realClock.ticks()];
    if (length > PLENTY || between(since, realClock.ticks()) > QUIET_MS) return length;
  }
}

const isLittle = (packets: number) => packets > 0 && packets <= LITTLE;

test.concurrent("a stranger to a call gets five seconds of it, of four calls at most; what comes from there opens it", async () => {
  const phone = await phoneAt("::1", "1003", ear(VICTIM));
  const all: SoftCall[] = [];
  for (let at = 0; at < 6; at++) all.push(await calls(phone));
  const heard = await Promise.all(all.map(packetsTo));
  expect(heard.filter(isLittle)).toHaveLength(4);
  expect(heard.filter((packets) => packets === 0)).toHaveLength(2);
  await told("voice is held back", VICTIM);

  const [one, other] = all as [SoftCall, SoftCall];
  const receiverReport = Buffer.from("80c9000109090909", "hex");
  one.voice.sendRaw(receiverReport, { address: "127.0.0.1", port: one.voicePort + 1 });
  const noise = Buffer.from("800d0001000000000909090940", "hex");
  other.voice.sendRaw(noise, { address: "127.0.0.1", port: other.voicePort });
  await Promise.all([one, other].map(flowsTo));
  await hangUp(all);
});

test.concurrent("who is called names somebody else as little as who calls", async () => {
  const carrier = await phoneAt(ABROAD, "905321234560", ear(VICTIM));
  await trunkTo(carrier, "abroad");
  await town.command("rule", "create", "abroad", "--prefix", "905321234560", "--trunk", "abroad");
  const caller = await phoneAt("127.0.0.1", "1002", () => RtpPhone.open({ says: 440 }));
  const calling = calls(caller, "05321234560");
  const call = await (await carrier.incoming()).answer();
  expect(await packetsTo(call)).toSatisfy(isLittle);
  await told(`santral trunk set abroad media-networks=${VICTIM}`);
  await (await calling).hangUp();
});

test.concurrent("a carrier's voice elsewhere than its SIP: five seconds, unless its trunk names the network", async () => {
  const elsewhere = await phoneAt(CARRIER_ADDRESS, "905321234561", ear(VICTIM));
  const gateway = await phoneAt(CARRIER_ADDRESS, "905321234562", ear(GATEWAY));
  await town.command("trunk", "set", "carrier", `media-networks=${GATEWAY}/32`);
  const call = await calls(elsewhere, OWN_NUMBER);
  const [little] = await Promise.all([
    packetsTo(call),
    eventually("the network counts", async () => {
      const named = await calls(gateway, OWN_NUMBER);
      const packets = await packetsTo(named);
      await named.hangUp();
      return packets > PLENTY || undefined;
    }),
  ]);
  expect(little).toSatisfy(isLittle);
  expect(await movesTo(call, ANOTHER)).toBe(0);
  await call.hangUp();
});

test.concurrent("a carrier that says nothing before our first packet has come to it is heard, and hears", async () => {
  const carrier = await phoneAt(CARRIER_ADDRESS, "905321234563", async () => {
    const voice: RtpPhone = await RtpPhone.open({
      address: "127.0.0.79",
      says: 880,
      loses: () => voice.received.length === 0,
    });
    return voice;
  });
  const call = await calls(carrier, OWN_NUMBER);
  await flowsTo(call);
  await call.hangUp();
});

/** Names another address within the call; what comes there. */
async function movesTo(call: SoftCall, address: string): Promise<number> {
  const voice = await ear(address)();
  whenOver(() => voice.hangUp());
  const named = ["v=0", `o=- 1 9 IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0"];
  const body = [...named, `m=audio ${voice.port} RTP/AVP 8`, ""].join("\r\n");
  expect(await call.ask("UPDATE", [{ name: "Content-Type", value: "application/sdp" }], body)).toBe(200);
  return packetsTo({ ...call, voice });
}

async function told(...words: string[]): Promise<void> {
  const lines = () => town.santral.output().split("\n");
  await eventually("the log says so", async () => lines().some((line) => words.every((it) => line.includes(it))));
}
