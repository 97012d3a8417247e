// How was it? Asked of a caller whose agent has hung up.

import type { Led } from "../../calls/call.ts";
import type { Goals } from "../../calls/goal.ts";
import type { Guide } from "../../lead/guide.ts";
import type { QueueDesk } from "./queue-desk.ts";
import { sentences } from "./sentences.ts";

declare module "../../calls/goal.ts" {
  interface Goals {
    survey: { queue: string; agent: string };
  }
}

const SURVEY_SECONDS = 8;
const MOST_QUESTIONS = 2;

/** The agent has hung up, and the caller says how it was. */
export async function leadToSurvey(
  queues: QueueDesk,
  guide: Guide,
  { queue: number, agent }: Goals["survey"],
): Promise<Led> {
  const { call, clock } = guide;
  const exchangeId = guide.book.settings.id;
  const { floor } = await queues.hall(exchangeId);
  const language = floor.queue(number)?.language ?? "tr-TR";
  const question = await guide.speak(sentences[language].survey, language);
  const line = guide.line();
  const ms = SURVEY_SECONDS * 1_000;
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const { digits } = await line.collect({ sounds: question ? [question] : [], most: 1, firstMs: ms, betweenMs: ms });
    if (!/^[1-5]$/.test(digits)) {
      call.tell(digits === "" ? "gives no score" : `presses ${digits}, which is no score`);
      continue;
    }
    const score = Number(digits);
    call.tell(`gives extension ${agent} ${score} of 5`);
    const answer = { callUuid: call.facts.uuid, queue: number, extension: agent, score, atMs: clock.now() };
    await queues.store.keepSurveyAnswer(exchangeId, answer);
    const thanks = await guide.speak(sentences[language].thanks, language);
    if (thanks) await line.play([thanks]);
    break;
  }
  return { failed: { cause: "NORMAL_CLEARING" } };
}
