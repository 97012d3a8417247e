import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { askServer } from "../../src/server/control-client.ts";
import { PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { attachmentOf, type MailServer, openMailServer } from "../customer/mail-server.ts";
import { openProgramService, type ProgramService, type Question } from "../customer/program-service.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { heard, keyPressed } from "../phones/listening.ts";
import { type SoftCall, type SoftPhone, softPhone } from "../phones/soft-phone.ts";
import { recordingOf, recordOf, talking } from "../town/call-story.ts";
import { CLEAR, channelOf, type RealTown, realTown, stereo, strongest, strongestIn } from "../town/real-town.ts";

let town: RealTown;
let service: ProgramService;
let mail: MailServer;
let ann: SoftPhone;
let bob: SoftPhone;

const NUMBER = "908505320000";
const PATIENCE_MS = 60_000;
const ANN_SAYS = 660;
const BOB_SAYS = 880;
const BEEP = 1_000;
/** Well above the second below which somebody has said nothing, also where the exchange begins to listen late. */
const A_MESSAGE_MS = 4_000;
const tones = {
  "Müşteri numaranız": 440,
  "karşılama mesajınız için ikiye": 500,
  "kaydetmek için bire": 560,
  "Saklamak için bire": 760,
};

beforeAll(async () => {
  service = await openProgramService(tones);
  mail = await openMailServer();
  whenOver(() => mail.close());
  town = await realTown({ ...PRIVATE_WEBHOOKS, ...service.env, SANTRAL_SMTP_URL: `smtp://127.0.0.1:${mail.port}` });
  await town.command("queue", "create", "210", "Yedek");
  await town.command("exchange", "set", `program-url=${service.url}`, "program-spare-target=queue/210");
  await town.command("extension", "set", "1002", "forward-always=programmed");
  await town.command("number", "set", NUMBER, "target=programmed", "closed-target=programmed");
  await town.command("mailbox", "set", "1000", "--email", "ayse@demo.example");
  [ann, bob] = await Promise.all([softPhone(town, "1000", ANN_SAYS), softPhone(town, "1001", BOB_SAYS)]);
});

const json = (response: ServerResponse, answer: unknown) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));

const asked = (step: number) =>
  eventually(`step ${step}`, async () => service.questions.find(({ fields }) => fields.step === String(step)));

async function dial(phone: SoftPhone, number: string): Promise<SoftCall> {
  const call = await phone.call(number);
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  return call;
}

test("a service takes a call through all four actions", { timeout: 300_000 }, async () => {
  service.understands = "evet";
  const patient = { timeout: 10, digit_timeout: 10, retry_count: 0 };
  const prompt = { phrase: "Müşteri numaranız?", min_digits: "2", max_digits: "9", param_name: "pin", ...patient };
  const steps: Record<string, unknown> = {
    1: { prompt },
    2: { speech_to_text: { recognation_duration: 2 }, transfer: null },
    3: { record: {} },
    4: { transfer: { target: "user/1000" } },
  };
  service.answers = ({ fields }, response) => json(response, steps[fields.step ?? ""]);
  const call = await dial(bob, "1002");
  await heard(call.voice, 440);
  await call.voice.press("94738261#");
  await asked(3);
  await talking(2_000);
  const incoming = ann.incoming();
  await keyPressed(call.voice, "#", incoming);
  const answered = await (await incoming).answer();
  await heard(call.voice, ANN_SAYS);
  await heard(answered.voice, BOB_SAYS);
  await call.hangUp();
  await answered.over;

  const { uuid = "" } = service.questions[0]!.fields;
  const always = { customer: "7", uuid, cli: "1001", cld: "1002" };
  expect(service.questions.map(({ fields }) => fields)).toEqual([
    { ...always, step: "1" },
    { ...always, step: "2", pin: "94738261", error: "" },
    { ...always, step: "3", pin: "94738261", error: "", result: "evet" },
    { ...always, step: "4", error: "" },
  ]);
  expect(service.heard).toHaveLength(1);
  expect(strongestIn(service.heard[0]!, BOB_SAYS)).toBeGreaterThan(CLEAR);
  const { cdr } = await recordOf(town, uuid, PATIENCE_MS);
  expect(cdr).toMatchObject({ result: "Cevaplandı" });
  // Inside calls are not recorded here, but what the service asked for is.
  const words = await recordingOf(town, uuid);
  expect(strongest(channelOrAll(words), BOB_SAYS, stereo(words))).toBeGreaterThan(CLEAR);
  const story = await town.command("call", uuid);
  for (const action of ["prompt", "listen", "record", "transfer"])
    expect(story).toContain(`the service says: ${action}`);
  expect(story).toContain("presses 8 keys");
  expect(story).not.toContain("94738261");
});

function channelOrAll(file: Buffer): Int16Array {
  const wav = stereo(file);
  return wav.channels === 2 ? channelOf(file, "left") : wav.samples;
}

/** By caller, so that all of them can call at once. */
const failures: Record<string, { how: string; answers: (response: ServerResponse, question: Question) => void }> = {
  "905000000001": { how: "hangs", answers: () => undefined },
  "905000000002": { how: "answers rubbish", answers: (response) => void response.end("<html>hello</html>") },
  "905000000012": {
    how: "fails",
    answers: (response) => void response.writeHead(500).end('{"transfer":{"target":"user/1000"}}'),
  },
  "905000000004": {
    how: "redirects to a private address",
    answers: (response) => void response.writeHead(302, { location: new URL("/secret", service.url).href }).end(),
  },
  "905000000011": {
    how: "sends more than anybody reads",
    answers: (response) => json(response, { transfer: { target: "user/1000" }, more: "x".repeat(200_000) }),
  },
  "905000000016": {
    how: "drips without an end",
    answers: (response) => {
      response.writeHead(200).write('{"transfer":');
      const drip = setInterval(() => response.write(" "), 300);
      response.once("close", () => clearInterval(drip));
    },
  },
  "905000000007": {
    how: "names a place that is none",
    answers: (response) => json(response, { transfer: { target: "moon/1" } }),
  },
};

type Waiting = { queue_number: string; call_uuid: string; caller_id: string; joined_at: string };

test("whatever a service does wrong, its callers reach the spare target", { timeout: 300_000 }, async () => {
  service.questions.length = 0;
  const national = (caller: string) => caller.replace(/^90/, "0");
  service.answers = (question, response) => {
    const failure = Object.entries(failures).find(([caller]) => national(caller) === question.fields.cli)?.[1];
    if (failure) failure.answers(response, question);
    else json(response, { transfer: { target: "user/1000" } });
  };
  const exchange = String(town.firstRun.exchange.id);
  const dialledMs = new Map<string, number>();
  for (const from of Object.keys(failures)) {
    dialledMs.set(from, Date.now());
    expect(await askServer(join(town.data, "control.sock"), "sandbox", { from, to: NUMBER, exchange })).toBe("calling");
  }
  const waiting = await eventually("all of them wait at the spare target", async () => {
    const entries = JSON.parse(await town.ask("/queues/pending")) as Waiting[];
    return entries.length === Object.keys(failures).length && entries;
  });
  expect(waiting.map(({ caller_id }) => caller_id).sort()).toEqual(Object.keys(failures).sort());
  for (const { queue_number } of waiting) expect(queue_number).toBe("210");
  // Each was asked once, and nobody followed where he was sent.
  expect(service.questions.map(({ path }) => path)).toEqual(Object.keys(failures).map(() => "/program"));
  const slow = waiting.find(({ caller_id }) => caller_id === "905000000001")!; // all are there
  // Since he dialled: when he was asked about, a busy machine may tell us later than it was.
  const waitedMs = Number(slow.joined_at) * 1_000 - dialledMs.get(slow.caller_id)!; // one of those who did
  expect(waitedMs, "a service has five seconds").toBeGreaterThan(3_900);
  for (const { call_uuid } of waiting) await town.tell(`/hangup/${call_uuid}`);
});

test("an owner speaks a greeting, a caller hears it, and what he says after it comes by e-mail", {
  timeout: 300_000,
}, async () => {
  const owner = await dial(ann, "*97");
  await heard(owner.voice, tones["karşılama mesajınız için ikiye"]);
  await owner.voice.press("2");
  await heard(owner.voice, tones["kaydetmek için bire"]);
  await owner.voice.press("1");
  await heard(owner.voice, BEEP);
  await talking(A_MESSAGE_MS);
  await keyPressed(owner.voice, "#", heard(owner.voice, ANN_SAYS));
  await heard(owner.voice, tones["Saklamak için bire"]);
  await owner.voice.press("1");
  await heard(owner.voice, tones["kaydetmek için bire"]);
  await owner.hangUp();

  const caller = await dial(bob, "*981000");
  await heard(caller.voice, ANN_SAYS);
  await heard(caller.voice, BEEP);
  await talking(A_MESSAGE_MS);
  await keyPressed(caller.voice, "#", caller.over);
  const letter = await eventually("a letter comes", async () => mail.letters[0]);
  expect(letter.to).toEqual(["ayse@demo.example"]);
  const { name, bytes } = attachmentOf(letter);
  expect(strongestIn(bytes, BOB_SAYS)).toBeGreaterThan(CLEAR);
  const { messages } = JSON.parse(await town.ask("/voicemail_messages", { user_number: "1000" })) as {
    messages: { uuid: string }[];
  };
  expect(messages.map(({ uuid }) => `${uuid}.wav`)).toEqual([name]);
});
