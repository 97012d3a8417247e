// Somebody asks over a door to be let into a colleague's call: his own phone rings first. Who listens already stays on
// the line, and is led on: to another call, to be heard by more or fewer, or to take the call over.

import type { RequestLimit } from "../../../store/limit.ts";
import { isTooLate, keptInTime, TOO_LATE } from "../../calls/asked-for.ts";
import type { Goal } from "../../calls/goal.ts";
import { isExtension, type LiveCalls } from "../../calls/live-calls.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import type { Registrar } from "../../signalling/registrar/registrar.ts";
import { isWatchable, type Supervise } from "./supervision.ts";

export type SupervisionRequest = Supervise & { supervisor: string };

type SuperviseParts = {
  settings: SettingsBook;
  registrar: Pick<Registrar, "isRegistered">;
  calls: OpenCallParts;
  isClosing(): boolean;
  mayBegin(): Promise<boolean>;
};

export async function superviseFor(
  parts: SuperviseParts,
  exchangeId: number,
  request: SupervisionRequest,
  limit?: RequestLimit,
) {
  const { supervisor, ...wanted } = request;
  const { extension } = wanted;
  const book = await parts.settings.of(exchangeId);
  const desk = book?.extensions.get(supervisor);
  if (!book || parts.isClosing()) return { refused: "closing" } as const;
  if (!desk?.active) return { refused: "extension-not-found", extension: supervisor } as const;
  const watched = parts.calls.live.of(exchangeId, extension).find((call) => isWatchable(call, wanted));
  if (!watched || supervisor === extension) return { refused: "no-such-call" } as const;
  const goal: Goal = { is: "supervise", ...wanted, call: watched.facts.uuid };
  const listening = listeningOf(parts.calls.live, exchangeId, supervisor);
  if (listening) {
    listening.call.transfer({ keep: listening.leg, drop: listening.leg, goal, stays: false });
    return { callUuid: listening.call.facts.uuid };
  }
  if (!parts.registrar.isRegistered(exchangeId, supervisor))
    return { refused: "extension-not-reachable", extension: supervisor } as const;
  if (!(await parts.mayBegin())) return { refused: "overloaded" } as const;
  if (parts.isClosing()) return { refused: "closing" } as const;
  if (isTooLate(limit)) return TOO_LATE;
  const shown = { number: extension, name: book.extensions.get(extension)?.name ?? "" };
  const call = openCall(parts.calls, {
    book,
    recordingWanted: false,
    facts: {
      direction: "internal",
      origin: "api",
      callerNumber: supervisor,
      callerName: desk.name,
      destinationNumber: extension,
      destinationName: shown.name,
      supervises: extension,
    },
    begin: {
      fetch: { is: "desk", extension: supervisor, manualAnswer: false, seconds: book.settings.ringSeconds, shown },
      goal,
    },
  });
  return keptInTime(parts.calls, call, limit);
}

/** His own line, while he listens to somebody. */
function listeningOf(live: LiveCalls, exchangeId: number, supervisor: string) {
  for (const call of live.of(exchangeId, supervisor)) {
    const leg = call.facts.supervises === undefined ? undefined : call.legs().find((it) => isExtension(it, supervisor));
    if (leg && call.state() === "led") return { call, leg };
  }
  return undefined;
}
