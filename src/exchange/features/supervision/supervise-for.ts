// Somebody asks over a door to be let into a colleague's call: his own phone rings first.

import type { RequestLimit } from "../../../store/limit.ts";
import { isTooLate, keptInTime, TOO_LATE } from "../../calls/asked-for.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import type { Registrar } from "../../signalling/registrar/registrar.ts";
import type { Supervise } from "./supervision.ts";

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
  const { supervisor, extension, mode, by } = request;
  const book = await parts.settings.of(exchangeId);
  const desk = book?.extensions.get(supervisor);
  if (!book || parts.isClosing()) return { refused: "closing" } as const;
  if (!desk?.active) return { refused: "extension-not-found", extension: supervisor } as const;
  const watched = parts.calls.live.of(exchangeId, extension).find((call) => call.conversation.pair());
  if (!watched) return { refused: "no-such-call" } as const;
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
    },
    begin: {
      fetch: { is: "desk", extension: supervisor, manualAnswer: false, seconds: book.settings.ringSeconds, shown },
      goal: { is: "supervise", extension, mode, by },
    },
  });
  return keptInTime(parts.calls, call, limit);
}
