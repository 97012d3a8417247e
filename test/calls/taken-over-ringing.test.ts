import { expect, test } from "vitest";
import { cdrsOf, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const FAR = "905321234567";

test("a number outside is dialled again, is paid for once, and who heard the network's own ringing talks", async () => {
  const rates = [{ prefix: "90", minutePrice: 100 }];
  const town = await townWith({ desks, keepsCalls: true, rates, exchange: { monthlySpendingLimit: 10_000 } });
  const [ann, out] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls("05321234567");
  await out.rings();
  await out.leg().letHear();
  await town.talksWith(ann, out);
  await town.pass({ seconds: 2 });
  out.seen.length = 0;
  await town.restarts({ elsewhere: true });
  await out.answers();
  await town.until("Ann is told", () => ann.seen.includes("answered"));
  await town.talksWith(ann, out);
  await town.pass({ seconds: 5 });
  expect(await town.spent()).toBe(100);
  await ann.hangsUp();
  await town.until("the other is told", () => out.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "caller" }]);
});

test("who is being sent on in the middle of it is sent on from the other machine", async () => {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
  await carl.rings();
  await town.pass({ seconds: 2 });
  carl.seen.length = 0;
  await town.restarts({ elsewhere: true });
  await carl.answers();
  await town.talksWith(ann, carl);
  await town.pass({ seconds: 2 });
  await ann.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("a message that was being left is at its end, and the record says why", async () => {
  const town = await townWith({ desks, keepsCalls: true, target: "voicemail/1001" });
  const caller = town.phone(FAR);
  await caller.calls("08505320000");
  await town.until("he is answered", () => caller.seen.includes("answered"));
  await town.pass({ seconds: 2 });
  await town.restarts({ elsewhere: true });
  await town.until("he is hung up", () => caller.seen.some((line) => line.startsWith("ended")));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "SYSTEM_SHUTDOWN" }]);
  expect(toldOf(town)).toContain("not-resumed");
});

test("a group is rung again, and who answers first stops the others", async () => {
  const members = [{ extension: "1001" }, { extension: "1002" }];
  const groups = { "500": { strategy: "simultaneous", members, ringSeconds: 30 } };
  const town = await townWith({ desks, keepsCalls: true, target: "group/500", groups });
  const [caller, one, two] = [town.phone(FAR), town.phone("1001"), town.phone("1002")];
  await caller.calls("08505320000");
  for (const phone of [one, two]) await phone.rings();
  await town.pass({ seconds: 2 });
  for (const phone of [one, two]) phone.seen.length = 0;
  await town.restarts({ elsewhere: true });
  for (const phone of [one, two]) await phone.rings();
  await two.answers();
  await town.talksWith(caller, two);
  await town.until("the other is quiet", () => one.seen.at(-1) === "ended ORIGINATOR_CANCEL");
  await caller.hangsUp();
  await town.until("she is told", () => two.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("who gives up while it rings is heard where his message comes to, and nobody rings for him any more", async () => {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.pass({ seconds: 2 });
  bob.seen.length = 0;
  await town.restarts({ elsewhere: true });
  await bob.rings();
  const invite = town.carried().find((text) => text.startsWith("INVITE sip:1001@10.0.0.1")) ?? "";
  const cancel = invite
    .slice(0, invite.indexOf("\r\n\r\n"))
    .split("\r\n")
    .filter((line) => /^(INVITE|Via|From|To|Call-ID|CSeq|Max-Forwards)/.test(line))
    .map((line) => line.replace(/^INVITE|INVITE$/, "CANCEL"))
    .concat("Content-Length: 0", "", "")
    .join("\r\n");
  // As a proxy in front brings it: to whoever has the exchange now.
  town.network.forge(cancel, "10.0.1.1", "10.0.0.2");
  await town.until("Bob's phone is quiet", () => bob.seen.at(-1) === "ended ORIGINATOR_CANCEL");
  await town.isQuiet();
  expect(
    town
      .sentTo(ann)
      .slice(-2)
      .map((text) => text.slice(0, 11)),
  ).toContain("SIP/2.0 487");
  expect(await cdrsOf(town)).toMatchObject([{ cause: "ORIGINATOR_CANCEL", by: "caller" }]);
});
