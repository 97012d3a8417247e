// An extension with several phones of which some are dead: they keep nobody waiting.

import { expect, test } from "vitest";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": { noAnswerSeconds: 30 }, "1002": {} };

test.each([
  ["busy", "USER_BUSY"],
  ["rejects", "CALL_REJECTED"],
] as const)(
  "the one live phone %s: the ringing ends at once, whatever dead contacts stand beside it",
  async (how, cause) => {
    const town = await townWith({ desks });
    const [ann, bob, old] = [town.phone("1000"), town.phone("1001"), town.another("1001")];
    await town.unplug(old);
    await ann.calls("1001");
    await bob.rings();
    const began = town.clock.wall();
    await bob.refuses(how);
    await town.until("Ann is told", () => ann.seen.includes(`ended ${cause}`));
    expect(town.clock.wall() - began).toBeLessThan(2_100);
    await town.isQuiet();
  },
);

test("a phone that was silent before is not waited for at all", async () => {
  const town = await townWith({ desks });
  const [ann, bob, old] = [town.phone("1000"), town.phone("1001"), town.another("1001")];
  await town.unplug(old);
  town.silent.add(old.destination.address);
  await ann.calls("1001");
  await bob.rings();
  const began = town.clock.wall();
  await bob.refuses("busy");
  await town.until("Ann is told", () => ann.seen.includes("ended USER_BUSY"));
  expect(town.clock.wall() - began).toBeLessThan(100);
  await town.isQuiet();
});

test("two live phones: one refuses and the other goes on ringing", async () => {
  const town = await townWith({ desks });
  const [ann, bob, more] = [town.phone("1000"), town.phone("1001"), town.another("1001")];
  await ann.calls("1001");
  await bob.refuses("busy");
  await town.pass({ seconds: 4 });
  await more.answers();
  await town.talksWith(ann, more);
  await ann.hangsUp();
  await town.isQuiet();
});

test("only silent phones: the extension is out of reach after three seconds, and they are still rung", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { forwardUnreachable: "1002" } } });
  const [ann, bob, carl] = [town.phone("1000"), town.another("1001"), town.phone("1002")];
  await town.unplug(bob);
  town.silent.add(bob.destination.address);
  await ann.calls("1001");
  const began = town.clock.wall();
  await carl.rings();
  expect(town.clock.wall() - began).toBeLessThan(3_100);
  await carl.answers();
  await ann.hangsUp();
  await town.isQuiet();
});

test("what a call does not hear of is noted as silent, and what answers again is not", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { noAnswerSeconds: 8 } } });
  const [ann, bob, old] = [town.phone("1000"), town.another("1001"), town.another("1001")];
  await town.unplug(old);
  town.silent.add(bob.destination.address);
  await ann.calls("1001");
  await bob.rings();
  await town.pass({ seconds: 10 });
  await town.isQuiet();
  expect([...town.silent]).toEqual([old.destination.address]);
});
