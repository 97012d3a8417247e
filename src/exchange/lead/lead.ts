// The table of contents of where calls can go: each goal and each target has its way there.

import type { CallParts, Led } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";
import type { ExchangeParts } from "../exchange-parts.ts";
import { leadCalledPerson, leadToCalledPerson } from "../features/campaigns/journey.ts";
import { leadToFaxMachine } from "../features/faxes/receive-fax.ts";
import { leadToSending } from "../features/faxes/send-fax.ts";
import { leadToProgram } from "../features/programming/program.ts";
import { leadToSupervision } from "../features/supervision/supervision.ts";
import { leadToOwnMessages } from "../features/voicemail/hear-messages.ts";
import { leadToVoicemail } from "../features/voicemail/take-message.ts";
import { readNumber } from "../plan/numbers.ts";
import type { Target } from "../plan/target.ts";
import { leadToAnnouncement, leadToSpeech } from "./announce.ts";
import { callerIdOf, shownBy } from "./caller-id.ts";
import { fetchDesk, leadToExtension } from "./extension.ts";
import { leadToGroup } from "./group.ts";
import { Guide } from "./guide.ts";
import { CallerGone } from "./line.ts";
import { leadToMenu } from "./menu.ts";
import { leadOutside } from "./outside.ts";
import { leadToQueue, leadToSurvey } from "./queue.ts";

/** What an extension dials to hear its messages. */
const HEAR_MESSAGES = "*97";
/** With an extension behind it: straight to that mailbox. */
const LEAVE_MESSAGE = "*98";

export function openLead(exchange: ExchangeParts): CallParts<Goal>["lead"] {
  return async (call, { leg, goal, signal }) => {
    const book = await exchange.settings.of(call.facts.exchangeId);
    if (!book) return { failed: { cause: "NO_ROUTE_DESTINATION" } };
    return runScript(() => leadTo(new Guide(exchange, { call, leg, signal, book }, leadTo), goal));
  };
}

/** A script whose caller is gone has nothing more to say; what became of the call is known elsewhere. */
async function runScript(script: () => Promise<Led>): Promise<Led> {
  try {
    return await script();
  } catch (error) {
    if (error instanceof CallerGone) return { failed: { cause: "ORIGINATOR_CANCEL" } };
    throw error;
  }
}

function leadTo(guide: Guide, goal: Goal): Promise<Led> {
  // The way is chosen by the very field its parameter narrows on.
  return (goals[goal.is] as (guide: Guide, goal: Goal) => Promise<Led>)(guide, goal);
}

const goals: { [Is in Goal["is"]]: (guide: Guide, goal: Extract<Goal, { is: Is }>) => Promise<Led> } = {
  dialled: (guide, { number, by }) => leadToDialled(guide, number, by),
  target: (guide, { target, by }) =>
    (targets[target.to] as (guide: Guide, target: Target, by?: string) => Promise<Led>)(guide, target, by),
  desk: fetchDesk,
  outside: (guide, { number, callerId, seconds }) => {
    const read = readNumber(number);
    if (read.is === "invalid" || read.is === "service") return failed("INVALID_NUMBER_FORMAT");
    return leadOutside(guide, { number: read, callerId, name: "", seconds });
  },
  callback: async (guide, { id, number, by }) => {
    const { callbacks } = await guide.exchange.queues.hall(guide.book.settings.id);
    await callbacks.begin(id);
    return leadToDialled(guide, number, by);
  },
  "called person": (guide, { journey }) => leadToCalledPerson(guide, journey),
  campaign: (guide, { journey }) => leadCalledPerson(guide, journey),
  "send fax": leadToSending,
  survey: leadToSurvey,
  supervise: leadToSupervision,
};

type Way<To> = (guide: Guide, target: Extract<Target, { to: To }>, by?: string) => Promise<Led>;

const targets: { [To in Target["to"]]: Way<To> } = {
  user: (guide, { number }) => leadToExtension(guide, number, shownBy(guide)),
  external: (guide, { number }, by) => leadToDialled(guide, number, by ?? guide.call.facts.dialedUser),
  hangup: async (guide, { how }) => {
    guide.call.tell({ is: "ended", how });
    return { failed: { cause: how === "busy" ? "USER_BUSY" : "NORMAL_CLEARING" } };
  },
  group: (guide, { number }) => leadToGroup(guide, number),
  ivr: (guide, { number }) => leadToMenu(guide, number),
  announcement: (guide, { id }) => leadToAnnouncement(guide, id),
  tts: leadToSpeech,
  queue: (guide, { number }) => leadToQueue(guide, number),
  voicemail: (guide, { number }) => leadToVoicemail(guide, number),
  fax: leadToFaxMachine,
  restart: notYet,
  optout: notYet,
  programmed: leadToProgram,
};

/** Extensions, groups, queues and menus share one set of numbers. */
function leadInside(guide: Guide, number: string): Promise<Led> {
  const place = guide.book.places.get(number);
  if (!place) return leadToExtension(guide, number, shownBy(guide));
  return leadTo(guide, { is: "target", target: { to: place, number } });
}

async function leadToDialled(guide: Guide, dialled: string, by: string): Promise<Led> {
  const { book, call } = guide;
  const number = readNumber(dialled, (candidate) => book.extensions.has(candidate));
  if (number.is === "extension") return leadInside(guide, number.number);
  if (number.is === "service" && number.code === HEAR_MESSAGES) return leadToOwnMessages(guide, by);
  if (number.is === "service" && number.code.startsWith(LEAVE_MESSAGE))
    return leadToVoicemail(guide, number.code.slice(LEAVE_MESSAGE.length));
  if (number.is === "service" || number.is === "invalid") {
    call.tell({ is: "not-a-number", number: dialled });
    return failed("INVALID_NUMBER_FORMAT");
  }
  const callerId = callerIdOf(guide, by);
  if (callerId === undefined) {
    call.tell({ is: "no-own-number" });
    return failed("FACILITY_REJECTED");
  }
  call.note({ outboundCallerId: callerId });
  const name = book.extensions.get(by)?.name ?? "";
  return leadOutside(guide, { number, callerId, name, seconds: book.settings.ringSeconds * 2 });
}

function notYet(guide: Guide): Promise<Led> {
  guide.call.tell({ is: "no-such-place" });
  return failed("FACILITY_NOT_IMPLEMENTED");
}

function failed(cause: "INVALID_NUMBER_FORMAT" | "FACILITY_REJECTED" | "FACILITY_NOT_IMPLEMENTED"): Promise<Led> {
  return Promise.resolve({ failed: { cause } });
}
