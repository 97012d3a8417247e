// A test call by one trunk and no other: what the carrier does with it is told in the call's story. It is short, goes to
// nobody whom a call may not go to, and there is one at a time.

import { type Language, languageFor } from "../../../speech/language.ts";
import type { RequestLimit } from "../../../store/limit.ts";
import { isTooLate, keptInTime, TOO_LATE } from "../../calls/asked-for.ts";
import type { Led } from "../../calls/call.ts";
import type { Ending } from "../../calls/call-machine.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { Refusal } from "../../calls/refusal.ts";
import type { StoryFactOf } from "../../calls/story.ts";
import { sayAndEnd } from "../../lead/announce.ts";
import { type BarringNeeds, whyBarred } from "../../lead/barring.ts";
import type { Guide } from "../../lead/guide.ts";
import { leadOutside, type OutsideNeeds } from "../../lead/outside.ts";
import type { SomeScripts } from "../../lead/scripts.ts";
import { dialledNumber } from "../../plan/emergency.ts";
import { nationally, type PhoneNumber, phoneNumber, written } from "../../plan/numbers.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import type { Registrar } from "../../signalling/registrar/registrar.ts";
import { troubleOf } from "../../signalling/trunks/troubles.ts";
import { sentences } from "./sentences.ts";

declare module "../../calls/goal.ts" {
  interface Goals {
    /** The other end of a trunk that is tested. */
    "trunk test": { trunk: string; number: PhoneNumber; callerId: PhoneNumber | undefined };
    /** The sentence that whoever answered hears. */
    "trunk sentence": { language: Language };
  }
}

const RING_SECONDS = 30;
/** Whoever was called has heard by then that it works. */
const TALK_MS = 30_000;

export type TrunkTest = {
  trunk: string;
  number: string;
  /** Whose phone rings first; without one whoever answers hears a sentence. */
  extension: string | undefined;
  /** In which that is said: a language that people read. */
  language: string;
};

export type TestRefusal = Refusal | { refused: "test-under-way" } | { refused: "no-test-for-help"; number: string };

export type TrunkTestParts = {
  settings: SettingsBook;
  registrar: Pick<Registrar, "isRegistered">;
  calls: OpenCallParts;
  barring: BarringNeeds;
  isClosing(): boolean;
  mayBegin(): Promise<boolean>;
};

export async function testTrunk(
  parts: TrunkTestParts,
  exchangeId: number,
  { trunk, number: dialled, extension, language }: TrunkTest,
  limit?: RequestLimit,
): Promise<{ callUuid: string } | TestRefusal> {
  const book = await parts.settings.of(exchangeId);
  if (!book || parts.isClosing()) return { refused: "closing" };
  const number = dialledNumber(dialled, book);
  if (number?.is === "emergency") return { refused: "no-test-for-help", number: dialled };
  if (!number || number.is === "extension") return { refused: "invalid-destination", destination: dialled };
  const desk = extension === undefined ? undefined : book.extensions.get(extension);
  if (extension !== undefined && !desk?.active) return { refused: "extension-not-found", extension };
  if (extension !== undefined && !parts.registrar.isRegistered(exchangeId, extension))
    return { refused: "extension-not-reachable", extension };
  const barred = await whyBarred(parts.barring, book, number);
  if (barred?.why === "channels") return { refused: "no-free-channel" };
  if (barred) return { refused: "destination-barred", destination: written(number), why: barred.why };
  if (!(await parts.mayBegin())) return { refused: "overloaded" };
  if (isTooLate(limit)) return TOO_LATE;
  // Nothing is waited for between this and the beginning of the call.
  if (parts.isClosing()) return { refused: "closing" };
  if (parts.calls.live.all(exchangeId).some(({ facts }) => facts.testsTrunk !== undefined))
    return { refused: "test-under-way" };
  const callerId = phoneNumber(desk?.outboundCallerId ?? book.settings.defaultCallerId ?? firstOf(book.numbers) ?? "");
  const test = { is: "trunk test", trunk, number, callerId } as const;
  const shown = { number: written(number), name: "" };
  const call = openCall(parts.calls, {
    book,
    recordingWanted: false,
    facts: {
      direction: "outbound",
      origin: "api",
      callerNumber: extension ?? (callerId ? written(callerId) : ""),
      callerName: desk?.name ?? "",
      outboundCallerId: callerId ? written(callerId) : "",
      destinationNumber: shown.number,
      destinationName: "",
      testsTrunk: trunk,
    },
    told: [{ is: "tests-trunk", trunk, number: nationally(number) }],
    begin:
      extension === undefined
        ? { fetch: test, goal: { is: "trunk sentence", language: languageFor(language) } }
        : { fetch: { is: "desk", extension, manualAnswer: true, seconds: RING_SECONDS, shown }, goal: test },
  });
  return keptInTime(parts.calls, call, limit);
}

const firstOf = (numbers: ReadonlyMap<string, unknown>): string | undefined => [...numbers.keys()][0];

export function trunkTestScripts(needs: OutsideNeeds) {
  return {
    goals: {
      "trunk test": (guide, goal) => leadToTest(guide.having(needs), goal),
      "trunk sentence": leadToSentence,
    },
  } satisfies SomeScripts;
}

async function leadToTest(
  guide: Guide<OutsideNeeds>,
  { trunk, number, callerId }: { trunk: string; number: PhoneNumber; callerId: PhoneNumber | undefined },
): Promise<Led> {
  const { call, clock, signal } = guide;
  const led = await leadOutside(guide, { number, callerId, name: "", seconds: RING_SECONDS, only: trunk });
  if (signal.aborted) return led;
  if ("connected" in led) {
    call.tell({ is: "trunk-tested", trunk, how: "answered" });
    const cancel = clock.after(TALK_MS, () => call.hangUp("NORMAL_CLEARING"));
    void call.over.then(cancel);
  } else call.tell({ is: "trunk-tested", trunk, ...whatCame(led.failed) });
  return led;
}

async function leadToSentence(guide: Guide, { language }: { language: Language }): Promise<Led> {
  const sound = await guide.speak(sentences[language], language);
  if (sound) return sayAndEnd(guide, sound);
  guide.call.tell({ is: "no-voice" });
  return { failed: { cause: "NORMAL_CLEARING" } };
}

/** What somebody was told by the call itself (it may not be made) is not told as the trunk's. */
function whatCame({ cause, sip, stalled, why }: Ending): Omit<StoryFactOf<"trunk-tested">, "is" | "trunk"> {
  if (sip) return { how: "refused", status: sip.status };
  if (stalled) return { how: "stalled" };
  if (cause === "NO_USER_RESPONSE") return { how: "silent" };
  if (cause === "NO_ROUTE_DESTINATION") return { how: "no-address" };
  if (cause === "NORMAL_CIRCUIT_CONGESTION") return { how: "full" };
  const trouble = troubleOf(why);
  if (cause === "NETWORK_OUT_OF_ORDER") return { how: "unreachable", ...(trouble && { trouble }) };
  return { how: "unanswered" };
}
