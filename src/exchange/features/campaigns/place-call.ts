// Starts one call of a campaign: the number is rung first, and whoever answers is led by the campaign's script.

import type { Clock } from "../../../clock.ts";
import type { Call } from "../../calls/call.ts";
import type { HangupCause } from "../../calls/causes.ts";
import type { Goal } from "../../calls/goal.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import { phoneNumber, written } from "../../plan/numbers.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import type { Journey } from "./journey.ts";

export type PlaceCallParts = {
  settings: SettingsBook;
  calls: OpenCallParts;
  /** The exchange is stopping or cannot keep up. */
  takesNothing(): boolean;
};

export type CallOrder = { callUuid: string; journey: Omit<Journey, "callerId"> };

/** What the dialler follows of it. */
export type PlacedCall = Pick<Call<Goal>, "facts" | "fetched" | "over" | "end">;

/** Undefined: no call leaves now. */
export type PlaceCall = (order: CallOrder) => Promise<PlacedCall | undefined>;

export function placesCalls({ settings, calls, takesNothing }: PlaceCallParts): PlaceCall {
  return async ({ callUuid, journey: ordered }) => {
    const { campaign, number } = ordered;
    // Settings that cannot be read now are no reason to lose the number: it is put back.
    const book = await settings.of(campaign.exchangeId).catch(() => undefined);
    if (!book || takesNothing()) return undefined;
    const callerId = phoneNumber(campaign.cli ?? book.settings.defaultCallerId ?? [...book.numbers.keys()][0] ?? "");
    if (callerId === undefined) return undefined;
    const journey: Journey = { ...ordered, callerId };
    return openCall(calls, {
      book,
      recordingWanted: campaign.recordingEnabled,
      facts: {
        uuid: callUuid,
        direction: "outbound",
        origin: "campaign",
        callerNumber: written(callerId),
        callerName: campaign.name,
        outboundCallerId: written(callerId),
        destinationNumber: number.number,
        destinationName: "",
      },
      told: [
        {
          is: "campaign-calls",
          campaign: campaign.id,
          name: campaign.name,
          number: number.number,
          attempt: number.attempts,
        },
      ],
      begin: { fetch: { is: "called person", journey }, goal: { is: "campaign", journey } },
    });
  };
}

/** What became of it, once it is over. */
export async function endOf(call: PlacedCall, clock: Clock) {
  const fetched = await call.fetched;
  await call.over;
  const { facts, end } = call;
  const answered = "answered" in fetched;
  const cause: HangupCause = answered ? "NORMAL_CLEARING" : fetched.failed.cause;
  const endMs = end?.endMs ?? clock.wall();
  const queued = answered && facts.queue !== undefined;
  const talkSeconds = answered ? Math.round((endMs - (facts.answerMs ?? endMs)) / 1_000) : 0;
  return { answered, cause, endMs, queued, abandoned: queued && facts.connectedUser === "", talkSeconds };
}
