import { describe, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {} };
type Town = Awaited<ReturnType<typeof townWith>>;
type Phone = ReturnType<Town["phone"]>;

async function hears(town: Town, phone: Phone, words: string) {
  const isHeard = () => phone.seen.includes("answered") && town.media.hears(phone.rtpPort()).join().includes(words);
  await town.until(words, isHeard);
}

function service(...answers: unknown[]) {
  const asked: string[] = [];
  const reply = (question: URL) => {
    asked.push(question.search.replace(/uuid=[^&]*/, "uuid=…"));
    const answer = answers[asked.length - 1];
    return { status: 200, body: typeof answer === "string" ? answer : JSON.stringify(answer) };
  };
  return { asked, reply };
}

test("the service asks for digits, listens, and sends the call on", async () => {
  const program = service(
    {
      prompt: {
        phrase: "Müşteri numaranız?",
        min_digits: "2",
        max_digits: "4",
        retry_count: 0,
        param_name: "customer",
      },
    },
    { speech_to_text: { announcement_id: "5" } },
    { record: { phrase: "Adınızı söyleyin" } },
    { transfer: { target: "user/1000", greet_name: "Ayşe" } },
  );
  const town = await townWith({
    desks,
    target: "programmed",
    service: program.reply,
    recognise: async () => "evet",
  });
  const [far, ann] = [town.phone("905321234567"), town.phone("1000")];
  await far.calls("08505320000");
  await hears(town, far, "Müşteri numaranız?");
  for (const key of "123#") await far.presses(key);
  await hears(town, far, "/sounds/5.wav");
  town.media.finish(far.rtpPort());
  await town.until("listening", () => town.media.recorded(far.rtpPort()) !== undefined);
  town.media.recorded(far.rtpPort())!(2_000);
  await hears(town, far, "Adınızı söyleyin");
  town.media.finish(far.rtpPort());
  await town.until("recording", () => town.media.recorded(far.rtpPort()) !== undefined);
  town.media.recorded(far.rtpPort())!(3_000);
  await hears(town, far, "Merhaba Ayşe");
  town.media.finish(far.rtpPort());
  await ann.answers();
  await town.talksWith(far, ann);
  await far.hangsUp();
  await town.isQuiet();
  expect(program.asked).toEqual([
    "?uuid=…&cli=05321234567&cld=08505320000&step=1",
    "?uuid=…&cli=05321234567&cld=08505320000&step=2&customer=123&error=",
    "?uuid=…&cli=05321234567&cld=08505320000&step=3&customer=123&error=&result=evet",
    "?uuid=…&cli=05321234567&cld=08505320000&step=4&error=",
  ]);
  // What he said for the service is kept with the call; what was only understood is thrown away.
  expect(town.diary.records[0]?.facts.words).toHaveLength(1);
  expect(town.diary.lines.filter((line) => line.startsWith("discarded"))).toHaveLength(1);
  // Keys may be a card's: the story counts them and does not repeat them.
  expect(JSON.stringify(town.diary.records[0]?.facts.story)).not.toContain('123"');
});

test.each([
  ["left out of the recording", false],
  ["recorded when the exchange so wishes", true],
])("keys that a caller presses after an agent has sent him there are %s", async (_, programRecordKeys) => {
  const prompt = { phrase: "Kart numaranız?", min_digits: "2", max_digits: "2", retry_count: 0 };
  const program = service({ prompt }, { transfer: { target: "user/1001" } });
  const menus = { "10": { keyTargets: { "1": "programmed" } } };
  const town = await townWith({ desks, menus, service: program.reply, exchange: { programRecordKeys } });
  const [far, ann, bob] = [town.phone("905321234567"), town.phone("1000"), town.phone("1001")];
  await far.calls("08505320000");
  await ann.answers();
  await town.talksWith(far, ann);
  expect(town.media.recordings).toHaveLength(1);
  ann.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:10@town.example>" }] });
  await hears(town, far, "/sounds/1.wav");
  await far.presses("1");
  await hears(town, far, "Kart numaranız?");
  expect(town.media.isMuted(far.rtpPort())).toBe(!programRecordKeys);
  for (const key of "42") await far.presses(key);
  await bob.answers();
  await town.talksWith(far, bob);
  expect(town.media.isMuted(far.rtpPort())).toBe(false);
  await far.hangsUp();
  await town.isQuiet();
  expect(program.asked[1]).toContain("digits=42");
});

describe("whatever goes wrong, the caller reaches the spare target", () => {
  test.each([
    ["hangs", () => ({ failed: "took too long", why: "late" as const })],
    ["answers rubbish", () => ({ status: 200, body: "<html>" })],
    ["fails", () => ({ status: 500, body: "{}" })],
    ["sends to a place that is none", () => ({ status: 200, body: '{"transfer":{"target":"moon/1"}}' })],
    ["wants speech understood, which nobody here can", () => ({ status: 200, body: '{"speech_to_text":{}}' })],
  ])("a service that %s", async (_, reply) => {
    const town = await townWith({ desks, target: "programmed", service: reply });
    const [far, bob] = [town.phone("905321234567"), town.phone("1001")];
    await far.calls("08505320000");
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
  });
});

describe("a service that only this machine can reach is not asked, and the caller reaches the spare target", () => {
  const guarded = openRequester({ clock: realClock, privateAllowed: false });
  const web = (url: string, limitMs: number) => guarded.ask(url, { method: "GET", limitMs, wantBytes: 65_536 });
  const prompt = { phrase: "?", min_digits: 1, max_digits: 1, retry_count: 0 };

  test.each([
    ["its own address", "http://127.0.0.1:8080/", undefined],
    ["the address it sends the answer to", "http://service.example/", "http://169.254.169.254/latest/meta-data"],
    ["an address in disguise", "http://service.example/", "http://[::ffff:10.0.0.1]/"],
  ])("%s", async (_, programUrl, service_url) => {
    const service = ({ hostname }: URL) =>
      hostname === "service.example"
        ? { status: 200, body: JSON.stringify({ prompt: { ...prompt, service_url } }) }
        : undefined;
    const town = await townWith({ desks, target: "programmed", exchange: { programUrl }, service, web });
    const [far, bob] = [town.phone("905321234567"), town.phone("1001")];
    await far.calls("08505320000");
    if (service_url !== undefined) {
      await hears(town, far, "?");
      await far.presses("1");
    }
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts.story).toContainEqual(
      expect.objectContaining({ is: "service-fails", why: "not-public" }),
    );
  });
});

describe("office hours", () => {
  // The town's clock begins on a Monday at noon, Istanbul time.
  test.each([
    [{}, "1000"],
    [{ exchange: { officeHours: ["6 08:00-18:00"] } }, "1001"],
    [{ exchange: { officeHours: ["1 08:00-11:00", "1 13:00-18:00"] } }, "1001"],
    [{ exchange: { officeHours: ["1 08:00-11:00", "1 12:00-18:00"] } }, "1000"],
    [{ exchange: { officeSwitch: "closed" as const } }, "1001"],
    [
      {
        exchange: { officeSwitch: "open" as const, officeHours: [] },
        holiday: { description: "Bayram", target: null },
      },
      "1000",
    ],
    [{ holiday: { description: "Bayram", target: null } }, "1001"],
    [{ holiday: { description: "Bayram", target: "user/1000" } }, "1000"],
    [{ holiday: { description: "Bayram", target: null, day: "2026-01-06" } }, "1000"],
    [{ ownNumber: { hours: ["1 12:00-12:30"] } }, "1000"],
    [{ ownNumber: { hours: ["1 09:00-12:00"] } }, "1001"],
    [{ ownNumber: { hours: ["2 08:00-18:00", "3 08:00-18:00"] } }, "1001"],
    [{ exchange: { officeHours: ["6 08:00-18:00"] }, ownNumber: { hours: ["1 08:00-18:00"] } }, "1000"],
  ])("%o leads to %s", async (setup, answers) => {
    const town = await townWith({ desks, target: "user/1000", closedTarget: "user/1001", ...setup });
    const phones = { "1000": town.phone("1000"), "1001": town.phone("1001") };
    const far = town.phone("905321234567");
    await far.calls("08505320000");
    await phones[answers as "1000" | "1001"].answers();
    await far.hangsUp();
    await town.isQuiet();
  });
});

test("a holiday begins at midnight of the office's clocks and is over at the next", async () => {
  const holiday = { description: "Bayram", target: null, day: "2026-01-06" };
  const exchange = { officeHours: [1, 2, 3, 4, 5].map((day) => `${day} 00:00-00:00`) };
  const town = await townWith({ desks, exchange, holiday, closedTarget: "user/1001" });
  const phones = { "1000": town.phone("1000"), "1001": town.phone("1001") };
  const far = town.phone("905321234567");
  const noon = town.clock.wall();
  const hour = 3_600_000;
  for (const [hours, answers] of [
    [11.99, "1000"],
    [12, "1001"],
    [35.99, "1001"],
    [36, "1000"],
  ] as const) {
    town.clock.pass(noon + hours * hour - town.clock.wall());
    for (const phone of [far, ...Object.values(phones)]) phone.seen.length = 0;
    await far.calls("08505320000");
    await phones[answers].answers();
    await far.hangsUp();
    await town.until("over", () => town.board.live.size === 0);
  }
  await town.isQuiet();
});
