// Every kind of target has a script: a call that is sent there is led somewhere, and does not break.

import { expect, test } from "vitest";
import { targetExamples, targetKinds } from "../../src/exchange/plan/target.ts";
import { townWith } from "../town/town.ts";

/** One of each kind; what makes no sense for an incoming call must not break one either. */
const examples = targetKinds().map((to) => {
  const all = [...targetExamples("inbound"), ...targetExamples("campaign")];
  return all.find((text) => text === to || text.startsWith(`${to}/`)) ?? to;
});

test.each(examples)("a call to %s is led there", async (target) => {
  const town = await townWith({
    desks: { "1000": { hasMailbox: true } },
    target,
    menus: { "10": {} },
    queues: { "200": { members: ["1000"] } },
    groups: { "700": { strategy: "simultaneous", members: [{ extension: "1000" }] } },
  });
  const [caller] = [town.phone("05321234567"), town.phone("1000")];
  await caller.calls("908505320000");
  await town.pass({ seconds: 1 });
  if (town.board.live.size > 0) await caller.hangsUp();
  await town.isQuiet();
  expect(town.diary.records).toHaveLength(1);
  expect(town.diary.records[0]?.end.cause).not.toBe("NORMAL_TEMPORARY_FAILURE"); // how a call ends whose script breaks
});
