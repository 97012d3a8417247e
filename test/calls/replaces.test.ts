// INVITE with Replaces: a ringing call is picked up, an own call is moved, and what cannot be replaced is refused.

import { expect, test } from "vitest";
import { lampCalls } from "../../src/exchange/calls/lamp-calls.ts";
import type { Leg } from "../../src/exchange/calls/leg.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };

const replaces = (value: string) => [{ name: "Replaces", value }];

/** As the phone that has the leg would be replaced at the exchange. */
function named(leg: Leg, more = ""): string {
  const { callId, localTag, remoteTag } = leg.dialog()!; // it rings or talks
  return `${callId};to-tag=${remoteTag};from-tag=${localTag}${more}`;
}

test.each(["", ";early-only"])("a colleague takes a ringing call by what his lamp tells him (%s)", async (more) => {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.rings();
  await town.until(
    "it has a dialog",
    () => lampCalls(town.board.live, town.exchangeId, "1001")[0]?.dialog !== undefined,
  );
  const [lamp] = lampCalls(town.board.live, town.exchangeId, "1001");
  expect(lamp).toMatchObject({ state: "early", direction: "recipient", remote: { number: "1000" } });
  // RFC 3891: the one who is asked knows the dialog by its own tag first, which is the remote one of the watched phone.
  const { callId, localTag, remoteTag } = lamp!.dialog!;
  await carl.calls("1001", replaces(`${callId};to-tag=${remoteTag};from-tag=${localTag}${more}`));
  await town.talksWith(ann, carl);
  await town.until("Bob rings no more", () => bob.seen.some((it) => it.startsWith("ended")));
  expect(lampCalls(town.board.live, town.exchangeId, "1000")[0]?.remote).toMatchObject({ number: "1002" });
  await ann.hangsUp();
  await town.isQuiet();
  const story = town.diary.records[0]!.facts.story;
  expect(story).toContainEqual(expect.objectContaining({ is: "picks-up-for", extension: "1002", of: "1001" }));
});

test("what talks is not replaced by one who wanted to pick it up ringing, nor by a colleague", async () => {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  const more = town.another("1001");
  await town.unplug(more);
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await carl.calls("1001", replaces(named(bob.leg(), ";early-only")));
  await town.until("Carl is refused", () => carl.seen.includes("ended USER_BUSY"));
  await carl.calls("1001", replaces(named(bob.leg())));
  await town.until("Carl is refused again", () => carl.seen.filter((it) => it.startsWith("ended")).length === 2);
  expect(town.carried().some((octets) => octets.startsWith("SIP/2.0 481"))).toBe(true);
  await ann.hangsUp();
  await town.isQuiet();
});

test.each([
  ["nothing we know", "nobody@nowhere;to-tag=a;from-tag=b", 481],
  ["no dialog at all", "nobody@nowhere", 400],
])("a Replaces that names %s is refused", async (_, value, status) => {
  const town = await townWith({ desks });
  const carl = town.phone("1002");
  await carl.calls("1001", replaces(value));
  await town.until("Carl is refused", () => carl.seen.some((it) => it.startsWith("ended")));
  expect(town.carried().some((octets) => octets.startsWith(`SIP/2.0 ${status}`))).toBe(true);
  await town.isQuiet();
});

test("the caller's own early dialog cannot be replaced: it was not we who began it", async () => {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.rings();
  await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
  await carl.calls("1001", replaces(named(ann.leg())));
  await town.until("Carl is refused", () => carl.seen.some((it) => it.startsWith("ended")));
  expect(town.carried().some((octets) => octets.startsWith("SIP/2.0 481"))).toBe(true);
  await ann.hangsUp();
  await town.isQuiet();
});
