import { expect, test } from "vitest";
import { silentMedia } from "../../../test/town/silent-media.ts";
import { Conversation, type KeptConversation } from "./conversation.ts";
import type { Leg } from "./leg.ts";

const MUSIC = JSON.stringify({ is: "file", path: "music" });

const kept = (why: KeptConversation["absent"][number]["why"]): KeptConversation => ({
  unrecorded: true,
  recorded: false,
  absent: [{ leg: "page", why }],
  greetings: {},
});

/** Two who talked before this process; of the one there is kept why it was absent. */
const outlived = (why: KeptConversation["absent"][number]["why"]) => two(kept(why));

async function two(before: KeptConversation | undefined, recordTo?: string) {
  const media = silentMedia();
  const party = async (id: string, port: number) => {
    const { stream } = await media.open({ peerHint: "10.0.0.2" });
    const remote = { address: "10.0.0.2", port };
    await media.settle(stream, { codec: "PCMA", payloadType: 8, direction: "sendrecv", remote });
    const party = { is: "outside", number: id, name: "" };
    // Of a leg it asks nothing else.
    return { id, party, stream: () => stream, isAnswered: () => true, meet: () => undefined } as unknown as Leg;
  };
  const [page, desk] = [await party("page", 4_000), await party("desk", 5_000)];
  const conversation = new Conversation({
    media,
    knownAs: { sipDomain: "town.example", outside: () => undefined },
    room: "room",
    recordTo: () => recordTo,
    recordingFailed: () => undefined,
    holdMusic: [{ is: "file", path: "music" }],
    ...(before && { kept: before }),
    greetings: {},
  });
  return { conversation, media, page, desk, deskHears: () => media.hears(5_000) };
}

test("who was absent when a process ended is so in the next, until it comes back", async () => {
  const { conversation, page, desk, deskHears } = await outlived(["away"]);
  expect(conversation.keep().absent, "also for the one after that").toEqual(kept(["away"]).absent);
  await conversation.join(page, desk);
  expect(deskHears()).toEqual([MUSIC]);
  expect(conversation.keep().absent).toEqual(kept(["away"]).absent);
  await conversation.absent(page, { why: "away", on: false });
  expect(deskHears()).toEqual(["4000"]);
});

test.each([
  ["a page that is heard", "away"],
  ["a phone that takes its party back", "held"],
] as const)("%s before the two are joined again is not missed", async (_, why) => {
  const { conversation, page, desk, deskHears } = await outlived([why]);
  await conversation.absent(page, { why, on: false });
  await conversation.join(page, desk);
  expect(deskHears()).toEqual(["4000"]);
  expect(conversation.keep().absent).toEqual([]);
});

test("a page that is heard and still holds the other lets it hear music", async () => {
  const { conversation, page, desk, deskHears } = await outlived(["held", "away"]);
  await conversation.absent(page, { why: "away", on: false });
  await conversation.join(page, desk);
  expect(deskHears()).toEqual([MUSIC]);
});

test.each([
  ["what the two say is recorded from its first word on", undefined, ["recorded", "heard"]],
  [
    "who talked before hears the other again before the file is opened",
    { ...kept([]), unrecorded: false, recorded: true },
    ["heard", "recorded"],
  ],
])("%s", async (_, before, order) => {
  const { conversation, media, page, desk } = await two(before, "call.wav");
  const done: string[] = [];
  const [join, recordCall] = [media.join, media.recordCall];
  media.join = async (...sides) => {
    await join(...sides);
    done.push("heard");
  };
  media.recordCall = async (wanted) => {
    const recording = await recordCall(wanted);
    done.push("recorded");
    return recording;
  };
  await conversation.join(page, desk);
  expect(done).toEqual(order);
});

test("who goes while the file is opened is not brought together with anybody", async () => {
  const { conversation, media, page, desk, deskHears } = await two(undefined, "call.wav");
  const { recordCall } = media;
  media.recordCall = async (wanted) => {
    await conversation.part(page);
    return recordCall(wanted);
  };
  expect(await conversation.join(page, desk)).toBe(false);
  expect(deskHears()).toEqual([]);
});
