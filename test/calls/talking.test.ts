import { expect, test } from "vitest";
import { openSourceDesk } from "../customer/source-desk.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };

test("one extension calls another; they talk, and the record tells it", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.until("Ann hears ringing", () => ann.seen.includes("ringing"));
  await town.pass({ seconds: 3 });
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 20 });
  await bob.hangsUp();
  await town.until("Ann is told", () => ann.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(town.diary.lines).toEqual([
    "opened internal 1000 -> 1001",
    "ringing 1001",
    "answer 1001",
    "hangup NORMAL_CLEARING by callee",
  ]);
  expect(town.media.recordings).toMatchObject([{ stopped: true }]);
});

test("a call may pass one server less on the other side of us, within the house and without", async () => {
  const far = "905321234567";
  const town = await townWith({ desks });
  const [ann, bob, out] = [town.phone("1000"), town.phone("1001"), town.phone(far)];
  const hops = (invite: { name: string; value: string }[]) => invite.find(({ name }) => name === "Max-Forwards")?.value;
  await ann.calls("1001", [{ name: "Max-Forwards", value: "9" }]);
  await bob.rings();
  expect(hops(bob.lastInvite)).toBe("8");
  await ann.hangsUp();
  await town.isQuiet();
  await ann.calls(far);
  await out.rings();
  expect(hops(out.lastInvite)).toBe("69");
  await ann.hangsUp();
  await town.isQuiet();
});

test("a key that a phone tells by INFO reaches whom it talks with", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.presses("7");
  await town.until("the key arrives", () => town.media.keysSent(bob.rtpPort()) === "7");
  expect(town.media.keysSent(ann.rtpPort())).toBe("");
  await ann.hangsUp();
  await town.isQuiet();
});

test("the record names who was reached: the extension of a call from outside, and whom we called by our contacts", async () => {
  const town = await townWith({ desks, target: "user/1001", contacts: { "05321234567": "Ayşe Yılmaz" } });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  const [ayse, stranger] = [town.phone("905321234567"), town.phone("905331234567")];
  await ayse.calls("08505320000");
  await bob.refuses("rejects");
  await town.isQuiet();
  for (const phone of [ayse, stranger]) {
    await ann.calls(phone.number);
    await phone.answers();
    await ann.hangsUp();
    await town.isQuiet();
  }
  expect(town.diary.records.map(({ facts }) => [facts.callerName, facts.destinationName])).toEqual([
    ["Ayşe Yılmaz", "Desk 1001"],
    ["Desk 1000", "Ayşe Yılmaz"],
    ["Desk 1000", ""],
  ]);
});

test("a caller whom a source of contacts knows rings a phone with his name, and with his new one at the next call", async () => {
  const town = await townWith({ desks, target: "user/1001" });
  const [bob, ayse] = [town.phone("1001"), town.phone("905321234567")];
  const served = (name: string) =>
    Buffer.from(`name,surname,phone,phone1\n${name},Yılmaz,02120001122,+90 532 123 45 67\n`);
  let bytes = served("Ayşe");
  const requester = { close: () => undefined, ask: async () => ({ status: 200, body: "", bytes, headers: {} }) };
  const sources = await openSourceDesk(town.db, { exchangeId: town.exchangeId, requester });
  const source = await sources.add({ kind: "file", url: "https://example.com/contacts.csv" });
  let calls = 0;
  const nameOnPhone = async () => {
    await sources.run(source);
    await town.db.heard();
    await ayse.calls("08505320000");
    calls++;
    await town.until("the phone rings", () => bob.seen.filter((it) => it === "is rung").length === calls);
    const from = bob.lastInvite.find(({ name }) => name === "From")?.value;
    await ayse.hangsUp();
    await town.isQuiet();
    return /^"([^"]*)"/.exec(Buffer.from(from ?? "", "latin1").toString())?.[1];
  };
  expect(await nameOnPhone()).toBe("Ayşe Yılmaz");
  bytes = served("Fatma");
  expect(await nameOnPhone()).toBe("Fatma Yılmaz");
});

test("nobody answers: the caller is told after the extension's time", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.pass({ seconds: 31 });
  await town.isQuiet();
  expect(ann.seen).toContain("ended NO_ANSWER");
  expect(bob.seen).toContain("ended ORIGINATOR_CANCEL");
  expect(town.diary.lines.at(-1)).toBe("hangup NO_ANSWER by caller");
});

test.each([
  ["busy", "USER_BUSY"],
  ["rejects", "CALL_REJECTED"],
] as const)("a callee: %s ends the call with %s", async (how, cause) => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.refuses(how);
  await town.isQuiet();
  expect(ann.seen).toContain(`ended ${cause}`);
  expect(town.diary.records[0]?.end).toMatchObject({ cause, sip: { status: how === "busy" ? 486 : 603 } });
});

test("a caller who gives up stops the ringing", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await ann.hangsUp();
  await town.isQuiet();
  expect(bob.seen).toContain("ended ORIGINATOR_CANCEL");
  expect(town.diary.lines.at(-1)).toBe("hangup ORIGINATOR_CANCEL by caller");
});

test("who wishes not to be disturbed is not rung", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { dnd: true } } });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await town.isQuiet();
  expect(bob.seen).toEqual([]);
  expect(ann.seen).toContain("ended USER_BUSY");
});

test("forwarding: always, busy, no answer and no phone", async () => {
  for (const [more, prepare] of [
    [{ forwardAlways: "1002" }, "nothing"],
    [{ dnd: true, forwardBusy: "user/1002" }, "nothing"],
    [{ forwardNoAnswer: "1002", noAnswerSeconds: 5 }, "wait"],
    [{ forwardUnreachable: "1002" }, "unplugged"],
  ] as const) {
    const town = await townWith({ desks: { ...desks, "1001": more } });
    const ann = town.phone("1000");
    if (prepare !== "unplugged") town.phone("1001");
    const carl = town.phone("1002");
    await ann.calls("1001");
    if (prepare === "wait") await town.pass({ seconds: 6 });
    await carl.answers();
    await town.talksWith(ann, carl);
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts).toMatchObject({ destinationNumber: "1001", connectedUser: "1002" });
  }
});

test("extensions that forward to each other in a circle do not ring for ever", async () => {
  const town = await townWith({
    desks: { "1000": {}, "1001": { forwardAlways: "1002" }, "1002": { forwardAlways: "1001" } },
  });
  const ann = town.phone("1000");
  await ann.calls("1001");
  await town.isQuiet();
  expect(ann.seen).toContain("ended EXCHANGE_ROUTING_ERROR");
});

test("an extension calls the outside and shows a number of ours; the outside calls in", async () => {
  const town = await townWith({ desks });
  const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
  await ann.calls("05321234567");
  await far.answers();
  await town.talksWith(ann, far);
  expect(far.lastInvite.find(({ name }) => name === "From")?.value).toContain("908505320000");
  await far.hangsUp();
  await town.until("over", () => town.board.live.size === 0);
  await far.calls("08505320000");
  await ann.answers();
  await town.talksWith(far, ann);
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines).toEqual([
    "opened outbound 1000 -> 905321234567",
    "ringing ",
    "answer ",
    "hangup NORMAL_CLEARING by callee",
    "opened inbound 05321234567 -> 908505320000",
    "ringing 1000",
    "answer 1000",
    "hangup NORMAL_CLEARING by callee",
  ]);
});

test("numbers that may not or cannot be called", async () => {
  const town = await townWith({ desks, blocked: ["905550000000"] });
  const ann = town.phone("1000");
  for (const [dialled, cause] of [
    ["1999", "UNALLOCATED_NUMBER"],
    ["05550000000", "INCOMING_CALL_BARRED"],
    ["0049301234567", "INCOMING_CALL_BARRED"],
    ["05321111111", "NO_ROUTE_DESTINATION"],
    ["hello", "INVALID_NUMBER_FORMAT"],
  ] as const) {
    ann.seen.length = 0;
    await ann.calls(dialled);
    await town.until(`${dialled} is refused`, () => ann.seen.length > 0);
    expect([dialled, ...ann.seen]).toEqual([dialled, `ended ${cause}`]);
  }
});

test("*8 picks up a colleague's call", async () => {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.rings();
  await carl.calls("*8");
  await town.talksWith(ann, carl);
  expect(bob.seen).toContain("ended ORIGINATOR_CANCEL");
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.diary.records[0]?.facts).toMatchObject({ dialedUser: "1001", connectedUser: "1002" });
});

test("a call of an hour is kept alive by signs of life, and one whose phone is unplugged is not", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 3_700 });
  await town.talksWith(ann, bob);
  await town.unplug(bob);
  await town.pass({ seconds: 1_900 });
  await town.until("the call is over", () => town.board.live.size === 0);
  expect(town.diary.records[0]?.end.cause).toBe("RECOVERY_ON_TIMER_EXPIRE");
});
