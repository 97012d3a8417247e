// What has become of a call is written with the next transaction; a kill may come before that.

import { expect, test } from "vitest";
import { cdrsOf, desks, FAR, ringingTown, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";

test.each(["caller", "callee"] as const)(
  "who was answered in the last moment before a kill talks on, and the other one is told when the %s hangs up",
  async (who) => {
    const { town, ann, bob } = await ringingTown();
    town.writesInVain();
    await bob.answers();
    await town.talksWith(ann, bob);
    await town.restarts({ afterSeconds: 1 });
    await town.talksWith(ann, bob);
    await town.pass({ seconds: 9 });
    const [first, second] = who === "caller" ? [ann, bob] : [bob, ann];
    await first.hangsUp();
    await town.until("the other one is told", () => second.seen.includes("ended NORMAL_CLEARING"));
    await town.isQuiet();
    expect(await cdrsOf(town)).toEqual([{ seconds: 10, cause: "NORMAL_CLEARING", by: who }]);
    expect(toldOf(town)).toEqual(["dialled", "rings", "talk", "resumed", "gone", "over"]);
  },
);

test("the same where the place of the voice was not in the ledger yet", async () => {
  const { town, ann, bob } = await ringingTown();
  town.writesInVain();
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.restarts({ afterSeconds: 1, losesVoice: true });
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
});

test("a kill while the caller has not heard yet that he was answered leaves nobody alone", async () => {
  const { town, ann, bob } = await ringingTown();
  town.writesInVain();
  const answering = bob.answers();
  await town.until("it is noted", () => town.diary.lines.includes("answer 1001"));
  await town.restarts({ afterSeconds: 1 });
  await answering;
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "caller" }]);
});

test("an agent who takes a caller of his queue in that moment is not rung on, and talks", async () => {
  const queues = { "200": { members: ["1000"] } };
  const town = await townWith({ desks, keepsCalls: true, target: "queue/200", queues });
  const [agent, caller] = [town.phone("1000"), town.phone(FAR)];
  await caller.calls("902129990000");
  await agent.rings();
  await town.pass({ seconds: 3 });
  town.writesInVain();
  await agent.answers();
  await town.talksWith(agent, caller);
  await town.restarts({ afterSeconds: 1 });
  await town.talksWith(agent, caller);
  await town.pass({ seconds: 5 });
  await agent.hangsUp();
  await town.until("the caller is told", () => caller.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(toldOf(town).filter((fact) => fact === "talk")).toHaveLength(1);
});

test("of a call that ended before the kill nothing comes back", async () => {
  const { town, ann, bob } = await ringingTown();
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.pass({ seconds: 1 });
  await town.restarts({ afterSeconds: 1 });
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});
