import { describe, expect, test } from "vitest";
import { hangupEvent, recordOf } from "../../src/exchange/journal/call-record.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const FAR = "905321234567";
const OURS = "08505320000";
const desks = { "1000": {}, "1001": { noAnswerSeconds: 5 }, "1002": {} };

type Town = Awaited<ReturnType<typeof townWith>>;

const answersIn = ({ diary }: Town) => diary.lines.filter((line) => line.startsWith("answer"));

/** The record of the last call, and what its end was told with. */
function lastIn({ diary }: Town) {
  const { facts, end } = diary.records.at(-1)!;
  return { ...recordOf(facts, end, undefined).cdr, answered: hangupEvent(facts, end, false).answered };
}

async function sent(by: TownPhone, to: string) {
  by.leg().ask("REFER", { headers: [{ name: "Refer-To", value: `<sip:${to}@town.example>` }] });
}

const menu = (to: string) => ({ target: "ivr/10", menus: { "10": { keyTargets: { "1": to } } } });
const nobody = { answered: false, missed: true, connectedUser: "", answerStamp: null, talkSeconds: 0 };

describe("a caller whom no person took was not answered, whatever he heard before", () => {
  async function choosesOne(town: Town) {
    const far = town.phone(FAR);
    await far.calls(OURS);
    await town.until("he is in the menu", () => far.seen.includes("answered"));
    await far.presses("1");
    return far;
  }

  test("an extension behind a menu that does not answer", async () => {
    const town = await townWith({ desks, ...menu("user/1001") });
    const bob = town.phone("1001");
    await choosesOne(town);
    await bob.rings();
    await town.pass({ seconds: 6 });
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ ...nobody, hangupCause: "NO_ANSWER", dialedUser: "1001" });
    expect(answersIn(town)).toEqual([]);
  });

  test("one that is busy, and a group in which nobody picks up", async () => {
    const group = { strategy: "simultaneous", members: [{ extension: "1001" }], ringSeconds: 5 };
    for (const [to, cause] of [
      ["user/1001", "USER_BUSY"],
      ["group/700", "NO_ANSWER"],
    ] as const) {
      const town = await townWith({ desks, ...menu(to), groups: { "700": group } });
      const bob = town.phone("1001");
      await choosesOne(town);
      await (to === "user/1001" ? bob.refuses("busy") : bob.rings());
      await town.pass({ seconds: 6 });
      await town.isQuiet();
      expect(lastIn(town)).toMatchObject({ ...nobody, hangupCause: cause });
    }
  });

  test("who hangs up in the menu, or while it rings behind it, gave up", async () => {
    const town = await townWith({ desks, ...menu("user/1001") });
    const [bob, far] = [town.phone("1001"), town.phone(FAR)];
    await far.calls(OURS);
    await town.until("he is in the menu", () => far.seen.includes("answered"));
    await far.hangsUp();
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ ...nobody, hangupCause: "ORIGINATOR_CANCEL" });
    const again = await choosesOne(town);
    await bob.rings();
    await again.hangsUp();
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ ...nobody, hangupCause: "ORIGINATOR_CANCEL" });
  });

  test("a sentence that is said to its end, and the mailbox of somebody who is busy", async () => {
    const town = await townWith({ desks, ...menu("announcement/7") });
    const far = await choosesOne(town);
    await town.until("he hears it", () => town.media.hears(far.rtpPort()).join().includes("/sounds/7.wav"));
    town.media.finish(far.rtpPort());
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ ...nobody, hangupCause: "NO_ANSWER" });
    const other = await townWith({
      desks: { ...desks, "1001": { hasMailbox: true, dnd: true } },
      ...menu("user/1001"),
    });
    other.phone("1001");
    const caller = await choosesOne(other);
    await other.until("the greeting", () => other.media.hears(caller.rtpPort()).join().includes("bırakabilirsiniz"));
    await caller.hangsUp();
    await other.isQuiet();
    expect(lastIn(other)).toMatchObject({ ...nobody, hangupCause: "USER_BUSY" });
  });

  test("who is taken behind a menu was answered then, and by whom", async () => {
    const town = await townWith({ desks, ...menu("user/1001") });
    const bob = town.phone("1001");
    const far = await choosesOne(town);
    await town.pass({ seconds: 3 });
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(answersIn(town)).toEqual(["answer 1001"]);
    expect(lastIn(town)).toMatchObject({ answered: true, missed: false, connectedUser: "1001", talkSeconds: 0 });
  });
});

describe("the extension that picked up", () => {
  const request = { extension: "1000", manualAnswer: true, seconds: 30, announcements: {} };

  test("is the desk of a call by the interface, and whoever the call is sent on to", async () => {
    const town = await townWith({ desks });
    const [ann, carl, far] = [town.phone("1000"), town.phone("1002"), town.phone(FAR)];
    const started = await town.exchange.originate(town.exchangeId, { ...request, destination: "05321234567" });
    await ann.answers();
    await far.answers();
    await town.talksWith(ann, far);
    expect(answersIn(town)).toEqual(["answer 1000"]);
    await town.exchange.transfer(town.exchangeId, "callUuid" in started ? started.callUuid : "", "1002");
    await carl.answers();
    await town.talksWith(far, carl);
    await far.hangsUp();
    await town.isQuiet();
    expect(answersIn(town)).toEqual(["answer 1000", "answer 1002"]);
    expect(lastIn(town)).toMatchObject({ direction: "outbound", connectedUser: "1002", answered: true });
  });

  test("between two extensions is the one that was called", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    await town.exchange.originate(town.exchangeId, { ...request, destination: "1001" });
    await ann.answers();
    await bob.answers();
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ direction: "internal", connectedUser: "1001" });
  });

  test("is told when a call is sent on, whoever sends it; who gets his call back is no news", async () => {
    const town = await townWith({ desks });
    const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
    await ann.calls("1001");
    await bob.answers();
    await town.talksWith(ann, bob);
    await sent(bob, "1999");
    await town.pass({ seconds: 1 });
    await town.talksWith(ann, bob);
    expect(answersIn(town)).toEqual(["answer 1001"]);
    await sent(ann, "1002");
    await carl.answers();
    await town.talksWith(bob, carl);
    await bob.hangsUp();
    await town.isQuiet();
    expect(answersIn(town)).toEqual(["answer 1001", "answer 1002"]);
  });
});

describe("a call between extensions that goes outside", () => {
  test("by forwarding is an outbound call, answered or not", async () => {
    const town = await townWith({ desks: { ...desks, "1001": { forwardAlways: "05321234567" } } });
    const [ann, far] = [town.phone("1000"), town.phone(FAR)];
    const outbound = { direction: "outbound", callerIdNumber: "1000", destinationNumber: "05321234567" };
    for (const does of ["answers", "refuses"] as const) {
      far.seen.length = 0;
      await ann.calls("1001");
      if (does === "answers") await far.answers();
      else await far.refuses("busy");
      if (does === "answers") await town.talksWith(ann, far);
      await ann.hangsUp();
      await town.isQuiet();
      expect(lastIn(town)).toMatchObject({
        ...outbound,
        outboundCallerIdNumber: "908505320000",
        answered: does === "answers",
        peer: FAR,
      });
    }
  });

  test("by transfer is one once somebody answers there, and stays what it was if nobody does", async () => {
    const town = await townWith({ desks });
    const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
    for (const does of ["refuses", "answers"] as const) {
      for (const phone of [bob, far]) phone.seen.length = 0;
      await ann.calls("1001");
      await bob.answers();
      await town.talksWith(ann, bob);
      await sent(bob, "05321234567");
      if (does === "answers") await far.answers();
      else await far.refuses("busy");
      await (does === "answers" ? town.talksWith(ann, far) : town.talksWith(ann, bob));
      await ann.hangsUp();
      await town.isQuiet();
      const is = does === "answers" ? ["outbound", "05321234567"] : ["internal", "1001"];
      expect([lastIn(town).direction, lastIn(town).destinationNumber]).toEqual(is);
    }
  });
});

test("codes never leave the exchange: the record of *97 and *98 says internal", async () => {
  const town = await townWith({ desks: { "1000": { hasMailbox: true }, "1001": {} } });
  const ann = town.phone("1000");
  for (const code of ["*97", "*981000", "*99"]) {
    ann.seen.length = 0;
    await ann.calls(code);
    await town.until(`${code} is over or up`, () => ann.seen.some((it) => it === "answered" || it.startsWith("ended")));
    if (ann.seen.includes("answered")) await ann.hangsUp();
    await town.isQuiet();
    expect(lastIn(town)).toMatchObject({ direction: "internal", destinationNumber: code, answered: code === "*97" });
  }
});

test("a call whose way is still looked up when the exchange stops does not begin", async () => {
  const town = await townWith({ desks, blocked: ["902129998877"] });
  const far = town.phone(FAR);
  const { query } = town.db;
  let answer: (() => void) | undefined;
  const late: typeof query = async (...asked) => {
    const rows = await query<never>(...asked);
    if (String(asked[0]).includes("from blocked_numbers where")) await new Promise<void>((done) => (answer = done));
    return rows;
  };
  town.db.query = late;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await far.calls(OURS);
  for (; !answer; await turn()) town.clock.pass(5);
  const closed = town.board.close();
  answer();
  for (const isEnded = () => far.seen.some((seen) => seen.startsWith("ended")); !isEnded(); await turn())
    town.clock.pass(5);
  town.clock.pass(5);
  await closed;
  expect(town.diary.lines).toEqual([]);
});
