import { expect, test } from "vitest";
import type { Way } from "../../src/exchange/lead/outside.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import type { Header } from "../../src/sip/message/message.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import { storyInWords } from "../../src/words/story/story.ts";
import { ACCOUNT, type AskingCarrier, askingCarrier } from "../carriers/asking-carrier.ts";
import { townWith } from "../town/town.ts";

const NUMBER = "905321234567";
const SILENCE: Destination = { transport: "udp", address: "10.0.2.9", port: 5060 };
const SILENT_SECONDS = 4;

const contact: Header = { name: "Contact", value: "<sip:far@10.0.2.1:5060>" };
const type: Header = { name: "Content-Type", value: "application/sdp" };
const SDP = [
  ...["v=0", "o=- 1 1 IN IP4 10.0.2.1", "s=-", "c=IN IP4 10.0.2.1", "t=0 0", "m=audio 40000 RTP/AVP 8"],
  "a=rtpmap:8 PCMA/8000\r\n",
].join("\r\n");

const refuses = (status: number) => (incoming: Incoming) => void incoming.reply(status);
const rings = (incoming: Incoming) => void incoming.reply(180, { headers: [contact] });
const answers = (incoming: Incoming) =>
  void incoming.reply(200, { headers: [contact, ...(incoming.request.method === "INVITE" ? [type] : [])], body: SDP });

/** The tested trunk leads to this carrier; there is no other way out. */
async function townWithTrunk(act: "silent" | "no-address" | ((incoming: Incoming) => void)) {
  const town = await townWith({
    desks: { 1000: {} },
    wayBy: (trunk) => (act === "no-address" ? undefined : way(trunk)),
  });
  const carrier: AskingCarrier = askingCarrier(town, {
    address: "10.0.2.1",
    hops: [],
    act: typeof act === "string" ? () => undefined : act,
  });
  const destination = act === "silent" ? SILENCE : carrier.destination;
  const way = (trunk: string): Way => ({
    trunk,
    codecs: ["PCMA"],
    silentMs: SILENT_SECONDS * 1_000,
    seize: () => ({ release: () => undefined }),
    invite: () => ({
      uri: `sip:${NUMBER}@${destination.address}`,
      to: `<sip:${NUMBER}@${destination.address}>`,
      from: "<sip:santral@town.example>",
      headers: [],
      destinations: [destination],
      account: ACCOUNT,
    }),
  });
  const ask = (more: { number?: string; extension?: string } = {}) =>
    town.exchange.testTrunk(town.exchangeId, {
      trunk: "carrier",
      number: NUMBER,
      extension: undefined,
      language: "en",
      ...more,
    });
  const told = () =>
    town.diary.records
      .flatMap(({ facts }) => facts.story)
      .filter((line) => "is" in line && line.is === "trunk-tested")
      .map((line) => storyInWords(line, "en"));
  return { town, carrier, ask, told };
}

test.each([
  [
    refuses(403),
    "trunk carrier refuses the call: it is forbidden: the carrier bars the account, the number shown or the place called (403)",
  ],
  [refuses(404), "trunk carrier refuses the call: it does not know the number (404)"],
  [refuses(486), "trunk carrier refuses the call: busy (486)"],
  [refuses(503), "trunk carrier refuses the call: it is out of service or overloaded (503)"],
  [rings, "trunk carrier works: the place called rang, but nobody picked up"],
  ["no-address" as const, "trunk carrier has a name that leads to no address (DNS)"],
  [
    "silent" as const,
    "trunk carrier said nothing to the call: the address, the port, a firewall or the carrier's list of IP addresses may be wrong",
  ],
])("a test call tells what the carrier does with it, in words (%#)", async (act, words) => {
  const { town, ask, told } = await townWithTrunk(act);
  expect(await ask()).toHaveProperty("callUuid");
  await town.until("it is over", () => told().length > 0, 40_000);
  expect(told()).toEqual([words]);
  await town.isQuiet();
});

test("one's own phone rings first; the talk is hung up after half a minute, and there is one test at a time", async () => {
  const { town, ask, told, carrier } = await townWithTrunk(answers);
  const desk = town.phone("1000");
  expect(await ask({ extension: "1000" })).toHaveProperty("callUuid");
  expect(await ask()).toEqual({ refused: "test-under-way" });
  await desk.answers();
  await town.until("they talk", () => carrier.heard.includes("ACK"));
  await town.pass({ seconds: 29 });
  expect(carrier.heard).not.toContain("BYE");
  await town.until("it is hung up", () => carrier.heard.includes("BYE"));
  await town.until("it has its record", () => told().length > 0);
  expect(told()).toEqual(["trunk carrier works: the place called answered"]);
  const [record] = town.diary.records;
  expect(record?.end.endedBy).toBe("exchange");
  await town.isQuiet();
});

test("nobody is called for help, nor inside, nor abroad where that is switched off", async () => {
  const { town, ask, carrier } = await townWithTrunk(answers);
  expect(await ask({ number: "112" })).toEqual({ refused: "no-test-for-help", number: "112" });
  expect(await ask({ number: "1000" })).toEqual({ refused: "invalid-destination", destination: "1000" });
  expect(await ask({ number: "004930123456" })).toMatchObject({ refused: "destination-barred", why: "international" });
  expect(await ask({ extension: "1000" })).toEqual({ refused: "extension-not-reachable", extension: "1000" });
  expect(await ask({ extension: "1009" })).toEqual({ refused: "extension-not-found", extension: "1009" });
  expect(carrier.heard).toEqual([]);
  await town.isQuiet();
});
