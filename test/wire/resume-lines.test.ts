// Calls that go on after a kill on lines of every kind: encrypted, by a carrier, in a queue, in a menu.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { startSipp } from "../carriers/sipp.ts";
import { takesCall } from "../carriers/sipp-scenarios.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { selfSigned } from "../ground/certificate.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, startBaresip } from "../phones/baresip.ts";
import { earOf, type Stretch, talked } from "../phones/ear.ts";
import { endOf, recordOf, talking } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";
import { saidIn } from "../town/said-in-calls.ts";

const QUEUE_NUMBER = "908505321111";
const SIPP_ADDRESS = "127.0.0.8";
/** A hundredth of full scale: quiet music is louder, comfort noise far below. */
const AUDIBLE = 0.01;
const RELEASED = "\x04";

let town: RealTown;
let events: EventReceiver;
let tlsPort: number;
let authorities: string;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  const folder = temporaryFolder();
  const { cert, key } = selfSigned("localhost");
  authorities = join(folder, "cert.pem");
  writeFileSync(authorities, cert);
  writeFileSync(join(folder, "key.pem"), key);
  tlsPort = await freePorts(1);
  town = await realTown({
    ...PRIVATE_WEBHOOKS,
    SANTRAL_SIP_TLS: `127.0.0.1:${tlsPort}`,
    SANTRAL_TLS_CERTIFICATE: authorities,
    SANTRAL_TLS_KEY: join(folder, "key.pem"),
  });
  events = await reportedEvents(town);
  [ann, bob] = await Promise.all([town.phone("1000", 440), town.phone("1001", 660)]);
});

afterEach(() => {
  events.events.length = 0;
  for (const phone of [ann, bob]) phone.forget();
});

async function connect(from: Baresip, to: Baresip, number: string): Promise<void> {
  await from.dial(number);
  await to.event("CALL_INCOMING");
  await to.command("accept");
  await from.event("CALL_ESTABLISHED");
}

const secure = (number: string, hz: number, how: { account: string; config?: string[] }) =>
  town.phone(number, hz, {
    ...how,
    transport: "tls",
    server: `127.0.0.1:${tlsPort}`,
    tlsAuthorities: authorities,
    registerSeconds: 10,
  });

/** One record, and its events once. */
async function expectOne(fits: Record<string, string>, told = "ringing answer hangup"): Promise<string> {
  const { call_uuid: uuid = "" } = await endOf(events, { hangup_cause: "NORMAL_CLEARING", ...fits });
  expect(events.of(uuid).join(" ")).toBe(told);
  await recordOf(town, uuid);
  return uuid;
}

test(
  "voice that is encrypted goes on, by keys in SDP and by DTLS, and phones on TLS hang up and are hung up",
  shows(
    ["calls: go on after the exchange was killed, over TLS", "encryption: goes on after the exchange was killed"],
    "baresip",
  ),
  async () => {
    const [carl, dora] = await Promise.all([
      secure("1002", 880, { account: "mediaenc=srtp-mand" }),
      secure("1003", 1_000, { account: "mediaenc=dtls_srtp", config: ["module dtls_srtp.so"] }),
    ]);
    const talk = () => talked([ann, 880], [carl, 440], [bob, 1_000], [dora, 660]);
    await connect(carl, ann, "1000");
    await connect(dora, bob, "1001");
    await talk();
    const fromMs = realClock.wall();
    await town.restart();
    await talk();
    const silence = { fromMs, toMs: realClock.wall() };
    await Promise.all([carl.hangUp(), bob.hangUp()]);
    await Promise.all([ann.event("CALL_CLOSED"), dora.event("CALL_CLOSED")]);
    for (const caller of ["1002", "1003"]) {
      const uuid = await expectOne({ caller_id_number: caller });
      expect(await saidIn(town, uuid, silence)).toEqual([]);
    }
  },
);

/** Somebody outside, whose calls come from a carrier. */
async function farPhone(number: string, hz: number): Promise<Baresip> {
  const phone = await startBaresip({
    user: number,
    password: "",
    domain: "127.0.0.1",
    server: town.santral.run.sip ?? "",
    address: CARRIER_ADDRESS,
    registerSeconds: 0,
    plays: town.tone(hz),
  });
  town.keep(phone);
  return phone;
}

/** A key may come before anybody waits for it: then again, until it has done what it should. */
async function presses(phone: Baresip, key: string, until: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = until.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const code of [key, RELEASED]) await phone.command("sndcode", code);
    await Promise.race([done, talking(1_000)]);
  }
  await done;
}

async function hearsMusic(phone: Baresip): Promise<void> {
  const isMusic = ({ level, loudness }: Stretch) => level(440) < CLEAR && loudness > AUDIBLE;
  await (await earOf(phone)).hearsWhat("music", isMusic);
}

test(
  "calls by carriers go on: who talks, who waits in a queue, and who is in a menu",
  shows("trunks: calls go on after the exchange was killed", "baresip", "SIPp"),
  async () => {
    const carrier = await startSipp({ address: SIPP_ADDRESS, calls: 1, scenario: takesCall, echo: true });
    whenOver(carrier.end);
    await town.command("trunk", "create", "out", SIPP_ADDRESS, `port=${carrier.port}`, "health-check=no");
    await town.command(
      "trunk",
      "create",
      "in",
      CARRIER_ADDRESS,
      `source-addresses=${CARRIER_ADDRESS}`,
      "health-check=no",
    );
    await Promise.all(["out", "in"].map((name) => town.trunkIsUp(name)));
    await town.command("queue", "create", "250", "Nobody there", "--members", "1004");
    await town.command("menu", "create", "17", "Menu", "keys=7:user/1001", "key-seconds=30");
    await town.command("number", "create", QUEUE_NUMBER, "queue/250");
    const [waits, chooses] = await Promise.all([farPhone("905321234567", 1_200), town.phone("1005", 1_400)]);
    await ann.dial("05341234567");
    await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
    await carrier.meanwhile(talked([ann, 440]));
    await waits.dial(QUEUE_NUMBER);
    await chooses.dial("17");
    await Promise.all([waits, chooses].map((phone) => phone.event("CALL_ESTABLISHED")));
    await hearsMusic(waits);

    await town.restart();
    await carrier.meanwhile(Promise.all([talked([ann, 440]), hearsMusic(waits)]));
    await presses(chooses, "7", bob.event("CALL_INCOMING"));
    await bob.command("accept");
    await talked([chooses, 660], [bob, 1_400]);

    await Promise.all([ann.hangUp(), waits.hangUp(), bob.hangUp()]);
    await chooses.event("CALL_CLOSED");
    expect(await carrier.done).toMatchObject({ code: 0 });
    await expectOne({ direction: "outbound" });
    await expectOne({ caller_id_number: "05321234567", hangup_cause: "ORIGINATOR_CANCEL" }, "hangup");
    await expectOne({ caller_id_number: "1005" });
  },
);
