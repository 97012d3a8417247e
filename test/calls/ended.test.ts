import { expect, test } from "vitest";
import { collectGarbage } from "../ground/heap.ts";
import { townWith } from "../town/town.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

/** In a function of its own, so that nothing here keeps hold of the call. */
function watched(town: Town): WeakRef<object>[] {
  const [call] = town.board.live.all();
  if (!call) throw new Error("there is no call");
  return [call, ...call.legs()].map((it) => new WeakRef<object>(it));
}

test("a call that is over is let go at once, though its SIP transactions linger for half a minute", async () => {
  const town = await townWith({ desks: { "1000": {}, "1001": {} } });
  const [ann, bob] = ["1000", "1001"].map((number) => town.phone(number));
  await ann!.calls("1001");
  await bob!.answers();
  await town.talksWith(ann!, bob!);
  const parts = watched(town);
  expect(parts).toHaveLength(3);
  await ann!.hangsUp();
  await town.until("the call has its record", () => town.diary.records.length === 1);
  await town.pass({ seconds: 7 });
  expect(town.stackLoad()).toMatchObject({ clientTransactions: 1, serverTransactions: 2, dialogs: 0 });
  await town.until("nothing holds on to it", () => {
    collectGarbage();
    return parts.every((part) => part.deref() === undefined);
  });
  expect(town.stackLoad()).toMatchObject({ clientTransactions: 1, serverTransactions: 2 });
  await town.isQuiet();
});
