import { expect, test } from "vitest";
import { townWith } from "../town/town.ts";

test("a media thread that dies ends its own calls, each with its record, and no other", async () => {
  const town = await townWith({ desks: { "1000": {}, "1001": {}, "1002": {}, "1003": {} } });
  const [ann, bob, carl, dora] = ["1000", "1001", "1002", "1003"].map((number) => town.phone(number));
  await ann!.calls("1001");
  await bob!.answers();
  await town.talksWith(ann!, bob!);
  await carl!.calls("1003");
  await dora!.answers();
  await town.talksWith(carl!, dora!);
  const [lost] = town.board.live.all();
  const { a, b } = lost!.conversation.pair()!;
  for (const stream of [a.stream()!, b.stream()!]) town.media.say({ is: "lost", stream, why: "the thread ended" });
  await town.until("the first call is over", () => town.diary.records.length === 1);
  expect(town.diary.records[0]).toMatchObject({
    facts: { callerNumber: "1000" },
    end: { cause: "NORMAL_TEMPORARY_FAILURE" },
  });
  for (const phone of [ann!, bob!]) await town.until("it is told", () => phone.seen.join().includes("ended"));
  await town.talksWith(carl!, dora!);
  await carl!.hangsUp();
  await town.isQuiet();
  expect(town.diary.records).toHaveLength(2);
});
