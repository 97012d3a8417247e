import { expect, test } from "vitest";
import { unexpected } from "../../../test/ground/unexpected.ts";
import { BOB, forksAt, ladder, line, NOTHING_LEFT, seededRandom } from "../../../test/phones/sip-phones.ts";
import { silentMedia } from "../../../test/town/silent-media.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { hash } from "../signalling/registrar/hashing.ts";
import { outgoingLeg } from "./outgoing-leg.ts";
import { openStreamHub } from "./stream-hub.ts";

/** Our side calls a proxy with several phones, and has sent its INVITE. */
async function calling({ locate = async () => [] as Destination[] } = {}) {
  const town = line();
  const bob = forksAt(town);
  const media = silentMedia();
  const parts = {
    clock: town.clock,
    random: seededRandom(7),
    hash,
    stack: town.alice,
    media,
    streams: openStreamHub(media),
    locate,
    unexpected,
    product: "Town",
    mistake: (error: unknown) => {
      throw error;
    },
  };
  const leg = outgoingLeg(parts, {
    id: "leg",
    party: { is: "outside", number: "1", name: "" },
    codecs: ["PCMA"],
    keepsFlow: false,
    uri: `sip:bob@${BOB}`,
    destinations: [town.toBob],
    headers: [],
    from: "<sip:alice@town.example>",
    to: "<sip:bob@town.example>",
  });
  const pass = async (ms: number) => {
    await settled();
    town.clock.pass(ms);
    await settled();
  };
  await pass(10);
  return { town, bob, leg, pass };
}

/** What our side said, leaving out what it was answered. */
const said = (town: Parameters<typeof forksAt>[0]) => ladder(town.network).filter((message) => !message.includes(" "));

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a phone that answers after the leg is over is picked up and hung up", async () => {
  const { town, bob, leg, pass } = await calling();
  leg.end("ORIGINATOR_CANCEL");
  bob.answers("late");
  await pass(5);
  await pass(5);
  expect(said(town)).toEqual(["INVITE", "ACK", "BYE"]);
  await pass(60_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a second fork that answers when the call is over is hung up, and the first one's repeats are acknowledged", async () => {
  const { town, bob, leg, pass } = await calling();
  bob.answers("first");
  await pass(5);
  leg.end("NORMAL_CLEARING");
  await pass(5);
  const before = said(town).length;
  bob.answers("first");
  await pass(5);
  bob.answers("second");
  await pass(5);
  await pass(5);
  expect(said(town).slice(before)).toEqual(["ACK", "ACK", "BYE"]);
  await pass(60_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a phone that answered is hung up when the leg ends before the way to it is found", async () => {
  const found: (() => void)[] = [];
  const { town, bob, leg, pass } = await calling({
    locate: () => new Promise((resolve) => found.push(() => resolve([town.toBob]))),
  });
  bob.answers("first", { name: "Contact", value: "<sip:bob@bob.example>" });
  await pass(5);
  leg.end("ORIGINATOR_CANCEL");
  for (let asked = 0; asked < 2; asked++) {
    found[asked]?.();
    await pass(5);
  }
  await pass(5);
  expect(said(town)).toEqual(["INVITE", "ACK", "BYE"]);
  await pass(60_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});
