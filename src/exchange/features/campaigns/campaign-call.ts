// The script that leads an answered call of a campaign: the welcome or the person's own phrase, a key, and on to where
// the key leads.

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Sound } from "../../../media/engine.ts";
import { readWav, toMono } from "../../../media/wav.ts";
import { askForKey, type KeyAnswer, type KeyQuestion } from "../../lead/ask-key.ts";
import type { Guide } from "../../lead/guide.ts";
import { soundsOfPhrase } from "../../lead/phrase.ts";
import type { Language } from "../../plan/target.ts";
import { GreetingEar, type Heard } from "./answering-machine.ts";
import type { Campaign, CampaignCall, CampaignCallOutcome, CampaignNumber, LeadCampaignCall } from "./campaign.ts";

/** Whoever has the welcome played again and again hears it so often and no more. */
const MOST_RESTARTS = 10;

/** Nobody pressed anything, in the interface's writing; `!` stands before a key that leads nowhere. */
const NO_KEY = "-";
const WRONG = "!";

export const leadCampaignCall: LeadCampaignCall = async (call, campaign, number) => {
  const { guide } = call;
  if (campaign.recordingEnabled && guide.leg) await guide.call.conversation.recordAlone(guide.leg);
  const first: Greeting = campaign.detectsMachines ? await listen(guide) : { heard: "person" };
  if (first.heard === "machine") return leaveMachine(call);
  const sounds = await welcomeOf(guide, campaign, number);
  let answer = await ask(call, campaign, { sounds, early: first.key });
  for (let times = 0; answer.target === "restart"; times++) {
    if (times === MOST_RESTARTS) return { ...over(null), digit: answer.key };
    answer = await ask(call, campaign, { sounds });
  }
  const { target } = answer;
  const digit = campaign.callType === "queue" && answer.key === "" ? "" : written(answer);
  if (!answer.isValid && digit === NO_KEY) call.pressed(digit);
  if (target === null) return { ...over(null), digit };
  call.reached(target);
  if (target === "optout") await promiseNoMore(call, number.language);
  const led = target === "optout" ? over(target).led : await guide.goTo(target);
  return { led, digit, target };
};

/** An ivr campaign waits for a key. A queue campaign takes one while it welcomes, and otherwise goes straight on. */
async function ask(
  call: CampaignCall,
  campaign: Campaign,
  { sounds, early }: Pick<KeyQuestion, "sounds" | "early">,
): Promise<KeyAnswer> {
  const { callType, queueNumber, targets, digitRetries, digitTimeoutSeconds } = campaign;
  const { timeout = null, invalid = null, ...keyTargets } = targets;
  const queue = callType === "queue" && queueNumber !== null ? `queue/${queueNumber}` : undefined;
  if (queue !== undefined && sounds.length === 0 && !early) return { key: "", isValid: false, target: queue };
  const answer = await askForKey(call.guide, {
    sounds,
    early,
    keyTargets,
    onWrongKey: (key) => call.pressed(`${WRONG}${key}`),
    waitMs: queue === undefined ? digitTimeoutSeconds * 1_000 : 0,
    retries: queue === undefined ? digitRetries : 0,
    timeoutTarget: queue ?? timeout,
    invalidTarget: queue ?? invalid,
  });
  if (answer.isValid) call.pressed(answer.key);
  return answer;
}

function written({ key, isValid }: KeyAnswer): string {
  if (key === "") return NO_KEY;
  return isValid ? key : `${WRONG}${key}`;
}

/** The person's own phrase; where nothing of it can be said, the welcome sound is better than silence. */
async function welcomeOf(guide: Guide, campaign: Campaign, { phrase, language }: CampaignNumber): Promise<Sound[]> {
  const own = phrase === null ? [] : await soundsOfPhrase(guide, { phrase, language });
  if (phrase !== null) guide.call.tell({ is: own.length > 0 ? "hears" : "cannot-say", text: phrase });
  if (own.length > 0 || campaign.welcomeAnnouncementId === null) return own;
  const welcome = await guide.sound(campaign.welcomeAnnouncementId);
  const sound = campaign.welcomeAnnouncementId;
  guide.call.tell(welcome ? { is: "hears-sound", sound } : { is: "no-such", what: "sound", which: String(sound) });
  return welcome ? [welcome] : [];
}

const noMoreCalls: Record<Language, string> = {
  "tr-TR": "Talebiniz alındı. Bu konuda bir daha aranmayacaksınız.",
  "en-US": "Your wish has been noted. You will not be called about this again.",
  "ar-XA": "تم تسجيل طلبك. لن نتصل بك بهذا الشأن مرة أخرى.",
};

async function promiseNoMore({ guide, optOut }: CampaignCall, language: Language): Promise<void> {
  const line = guide.attendant();
  await line.until(optOut());
  guide.call.tell({ is: "opts-out" });
  const words = await guide.speak(noMoreCalls[language], language);
  if (words) await line.play([words]);
}

function leaveMachine(call: CampaignCall): CampaignCallOutcome {
  call.guide.call.tell({ is: "answering-machine" });
  call.heardMachine();
  return over(null);
}

function over(target: string | null): CampaignCallOutcome {
  return { led: { failed: { cause: "NORMAL_CLEARING" } }, digit: "", target };
}

const LONGEST_LISTENING_MS = 5_000;
/** A pause as long as that is the end of a greeting. */
const PAUSE_MS = 800;

/** What was heard first; a key is a person's, and is what she wants. */
type Greeting = { heard: Heard; key?: string | undefined };

/** Listens to how the called party answers: until it pauses, and again until it is clear. */
async function listen(guide: CampaignCall["guide"]): Promise<Greeting> {
  const { call, has } = guide;
  const { folder, discard } = has.tape;
  const line = guide.attendant();
  const ear = new GreetingEar();
  for (let leftMs = LONGEST_LISTENING_MS; leftMs > 0 && ear.heard === "undecided"; ) {
    const name = `greeting-${call.facts.uuid}-${randomUUID()}.wav`;
    const recorded = await line.record({
      folder,
      name,
      maxMs: leftMs,
      silenceMs: PAUSE_MS,
      stopKeys: "0123456789*#",
    });
    const sound = await readFile(recorded.path).then(readWav, () => undefined);
    await discard(recorded.path);
    if (recorded.ended === "key") return { heard: "person", key: recorded.key };
    if (sound?.is !== "wav" || recorded.durationMs === 0) return { heard: "person" };
    ear.listen(toMono(sound), sound.rate);
    leftMs -= recorded.durationMs;
  }
  return { heard: ear.heard };
}
