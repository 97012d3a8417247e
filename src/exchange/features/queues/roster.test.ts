import { expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import type { WrapUp } from "../../../store/wrap-ups.ts";
import { Roster } from "./roster.ts";

const stored = {
  number: "1000",
  name: "Ayşe",
  dnd: false,
  status: "AVAILABLE" as const,
  description: null,
  owes: false,
};

/** Somebody who has just hung up, in a queue that leaves him half a minute. */
function afterACall() {
  const clock = testClock();
  const kept: WrapUp[] = [];
  const nothing = () => undefined;
  const reaches = { isReachable: () => true, isBusy: () => false };
  const roster = new Roster({
    ...{ clock, unexpected, ...reaches, giveBreak: nothing, onChange: nothing, onFree: nothing },
    onWrappedUp: (wrapUp) => kept.push(wrapUp),
  });
  roster.read([stored]);
  const agent = roster.get("1000")!; // just read
  roster.tell(agent, { is: "offer" });
  roster.tell(agent, { is: "answer", owes: false });
  const beganMs = clock.wall();
  roster.served(agent, "call", { wrapUpSeconds: 30, now: clock.ticks(), nowMs: beganMs });
  return { clock, roster, kept, wrapUp: { callUuid: "call", extension: "1000", beganMs } };
}

test("a wrap-up lasts as long as he is left to it, and is told once", () => {
  const { clock, kept, wrapUp } = afterACall();
  clock.pass(29_000);
  expect(kept).toEqual([]);
  clock.pass(60_000);
  expect(kept).toEqual([{ ...wrapUp, seconds: 30 }]);
});

test("who goes on a break before has written for so long, though the wall's clock was set", () => {
  const { clock, roster, kept, wrapUp } = afterACall();
  clock.pass(12_000);
  clock.setWall(0);
  roster.read([{ ...stored, status: "ON_BREAK" }]);
  roster.read([stored]);
  clock.pass(60_000);
  expect(kept).toEqual([{ ...wrapUp, seconds: 12 }]);
});
