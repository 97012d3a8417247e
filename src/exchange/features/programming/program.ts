// Call programming: the customer's service is asked, step by step, what to do with the call. Whatever goes wrong there,
// the caller ends up at the spare target.

import { randomUUID } from "node:crypto";
import type { Sound } from "../../../media/engine.ts";
import type { WebFailure } from "../../../webhooks/requester.ts";
import type { Led } from "../../calls/call.ts";
import type { Attendant, Tape } from "../../lead/attendant.ts";
import type { Guide } from "../../lead/guide.ts";
import { soundsOfPhrase } from "../../lead/phrase.ts";
import type { SomeScripts } from "../../lead/scripts.ts";
import { nationally, phoneNumber } from "../../plan/numbers.ts";
import { printTarget } from "../../plan/target.ts";
import {
  type Action,
  type Listen,
  type Prompt,
  type Record,
  readAnswer,
  type Spoken,
  type Transfer,
  type Unusable,
} from "./answer.ts";

const MOST_STEPS = 50;
const MOST_LISTENS = 10;
const LIMIT_MS = 5_000;
const LONGEST_RECORDING_MS = 120_000;
const SILENCE_MS = 5_000;

/** What the next question carries: the last answer's keys or words, and where it goes. */
type Journey = { url: string; fields: { [name: string]: string }; listens: number };

export type ProgramNeeds = {
  /** A question to a customer's own service, guarded and bounded. */
  ask(url: string, limitMs: number): Promise<{ status: number; body: string } | WebFailure>;
  /** The words in a sound file; without a recogniser there is no such thing. */
  recognise: ((path: string) => Promise<string | undefined>) | undefined;
  tape: Tape;
};
type ProgramGuide = Guide<ProgramNeeds>;

export function programScripts(needs: ProgramNeeds) {
  return { targets: { programmed: (guide) => leadToProgram(guide.having(needs)) } } satisfies SomeScripts;
}

async function leadToProgram(guide: ProgramGuide): Promise<Led> {
  const { programUrl } = guide.book.settings;
  if (!programUrl) return spare(guide, "not-set");
  const journey: Journey = { url: programUrl, fields: {}, listens: 0 };
  for (let step = 1; step <= MOST_STEPS; step++) {
    const action = await ask(guide, journey, step);
    if ("unusable" in action) return spare(guide, action.unusable, action.status);
    guide.call.tell({ is: "service-says", action: action.do });
    if (action.do === "transfer") return transfer(guide, action);
    const problem = await actions[action.do](guide, action as never, journey);
    if (problem !== undefined) return spare(guide, problem);
  }
  return spare(guide, "circle");
}

const actions = {
  prompt,
  record,
  listen,
};

async function ask(guide: ProgramGuide, { url, fields }: Journey, step: number): Promise<Action | Unusable> {
  if (!URL.canParse(url)) return { unusable: "bad-url" };
  const question = new URL(url);
  const { uuid, callerNumber, destinationNumber } = guide.call.facts;
  const all = { uuid, cli: dialled(callerNumber), cld: dialled(destinationNumber), step: String(step), ...fields };
  for (const [name, value] of Object.entries(all)) question.searchParams.set(name, value);
  const answer = await guide.has.ask(question.href, LIMIT_MS);
  if ("failed" in answer) return { unusable: answer.why };
  return answer.status === 200 ? readAnswer(answer.body) : { unusable: "status", status: answer.status };
}

async function transfer(guide: ProgramGuide, wanted: Transfer): Promise<Led> {
  const { call } = guide;
  const line = guide.attendant();
  if (wanted.greeting) {
    await line.answer();
    await line.play(await soundsOf(guide, { phrase: wanted.greeting, language: wanted.language, speed: 1 }));
  }
  const [toCaller, toCallee] = await Promise.all(
    [wanted.announcementToCaller, wanted.announcementToCallee].map((id) =>
      id === undefined ? undefined : guide.sound(id),
    ),
  );
  call.conversation.greet({ toCaller, toCallee });
  if (!wanted.recordingEnabled) call.conversation.keepUnrecorded();
  return guide.goTo(printTarget(wanted.target));
}

/** The keys go to the service and nowhere else: they may be a card's. */
async function prompt(guide: ProgramGuide, wanted: Prompt, journey: Journey): Promise<undefined> {
  const line = guide.attendant();
  await line.answer();
  const goOnRecording = await pauseRecording(guide);
  const digits = await pressed(line, wanted, await soundsOf(guide, wanted.sound)).finally(goOnRecording);
  guide.call.tell({ is: "keys", count: digits.length });
  const enough = digits.length >= wanted.minDigits;
  journey.fields = { [wanted.parameter]: enough ? digits : "", error: enough ? "" : "invalid digits" };
  if (wanted.serviceUrl !== undefined) journey.url = wanted.serviceUrl;
  return undefined;
}

async function pressed(line: Attendant, wanted: Prompt, sounds: Sound[]): Promise<string> {
  let digits = "";
  for (let attempt = 0; attempt <= wanted.retries; attempt++) {
    const collected = await line.collect({
      sounds,
      most: wanted.maxDigits,
      firstMs: wanted.timeoutMs,
      betweenMs: wanted.digitTimeoutMs,
      endKey: "#",
    });
    digits = collected.digits;
    if (digits.length >= wanted.minDigits && digits !== "") break;
  }
  return digits;
}

/** A caller whom an agent sent here is still being recorded, and would be with every key of his card. */
async function pauseRecording({ call, leg, book }: Guide): Promise<() => Promise<void>> {
  if (!leg || book.settings.programRecordKeys) return async () => undefined;
  return call.conversation.keepOut(leg);
}

async function record(guide: ProgramGuide, { sound }: Record, journey: Journey): Promise<undefined> {
  const line = guide.attendant();
  await line.answer();
  if (sound) await line.play(await soundsOf(guide, sound));
  const { durationMs, path } = await takeWords(guide, LONGEST_RECORDING_MS, guide.call.facts.uuid);
  guide.call.note({ words: [...(guide.call.facts.words ?? []), path] });
  journey.fields = { error: durationMs > 0 ? "" : "nothing recorded" };
  return undefined;
}

async function listen(
  guide: ProgramGuide,
  wanted: Listen,
  journey: Journey,
): Promise<Unusable["unusable"] | undefined> {
  const { recognise, tape } = guide.has;
  journey.listens += 1;
  if (!recognise) return "no-recognition";
  if (journey.listens > MOST_LISTENS) return "most-listens";
  const line = guide.attendant();
  await line.answer();
  if (wanted.announcementId !== undefined)
    await line.play(await soundsOf(guide, { announcementId: wanted.announcementId }));
  const { path } = await takeWords(guide, wanted.seconds * 1_000, "listen");
  const result = await recognise(path).finally(() => tape.discard(path));
  journey.fields = { ...journey.fields, error: result === undefined ? "not recognised" : "", result: result ?? "" };
  return undefined;
}

/** The name says whose they are, or that they are only listened to: what a crash leaves behind is told apart by it. */
async function takeWords(guide: ProgramGuide, maxMs: number, whose: string) {
  const name = `${whose}-${randomUUID()}.wav`;
  const request = { folder: guide.has.tape.folder, name, maxMs, silenceMs: SILENCE_MS, stopKeys: "#" };
  const recorded = await guide.attendant().record(request);
  if (recorded.fault) guide.call.tell({ is: "recording-failed", step: recorded.fault.step, code: recorded.fault.code });
  return recorded;
}

async function soundsOf(guide: ProgramGuide, spoken: Spoken): Promise<Sound[]> {
  if ("announcementId" in spoken) return [await guide.sound(spoken.announcementId)].filter((it) => it !== undefined);
  return soundsOfPhrase(guide, spoken);
}

function spare(guide: ProgramGuide, why: Unusable["unusable"], status?: number): Promise<Led> {
  const { programSpareTarget } = guide.book.settings;
  const answered = status === undefined ? {} : { status };
  guide.call.tell({ is: "service-fails", why, ...answered, target: programSpareTarget });
  return programSpareTarget
    ? guide.goTo(programSpareTarget)
    : Promise.resolve({ failed: { cause: "NORMAL_TEMPORARY_FAILURE" } });
}

/** As people dial it: 0… at home, 00… abroad, an extension as it is. */
function dialled(number: string): string {
  const read = phoneNumber(number);
  return read ? nationally(read) : number;
}
