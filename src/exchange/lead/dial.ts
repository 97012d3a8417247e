// Where a dialled number leads, and every other place that needs no feature: inside, outside, a menu, a sentence, the end.

import type { Led } from "../calls/call.ts";
import type { Goals } from "../calls/goal.ts";
import { readDialled } from "../plan/emergency.ts";
import { written } from "../plan/numbers.ts";
import type { Rights } from "../plan/rights.ts";
import { leadToAnnouncement, leadToSpeech } from "./announce.ts";
import { callerIdOf } from "./caller-id.ts";
import { fetchDesk, leadToExtension } from "./extension.ts";
import { type GroupNeeds, leadToGroup } from "./group.ts";
import type { Guide } from "./guide.ts";
import { type HelpNeeds, leadOut } from "./help.ts";
import { leadToMenu } from "./menu.ts";
import { type DialledCode, noSuchPlace, type SomeScripts } from "./scripts.ts";

type DialNeeds = GroupNeeds & HelpNeeds & { codes: readonly DialledCode[] };
type DialGuide = Guide<DialNeeds>;

export function dialScripts(needs: DialNeeds) {
  return {
    goals: {
      dialled: (guide, { number, by, rights }) => leadToDialled(guide.having(needs), number, { by, rights }),
      refused: async (_guide, { cause }) => ({ failed: { cause } }),
      number: (guide, goal) => leadToNumber(guide.having(needs), goal),
      "turned away": async (_, { cause }) => ({ failed: { cause } }),
      desk: (guide, goal) => fetchDesk(guide.having(needs), goal),
      outside: (guide, goal) => leadOut(guide.having(needs), { ...goal, name: "" }),
    },
    targets: {
      user: (guide, { number }) => leadToExtension(guide.having(needs), number),
      // Where no extension asks for it, it is where the exchange itself is set up to send calls.
      external: (guide, { number }, by) =>
        leadToDialled(
          guide.having(needs),
          number,
          by === undefined ? { by: guide.call.facts.dialedUser, rights: "exchange" } : { by },
        ),
      hangup: async (guide, { how }) => {
        guide.call.tell({ is: "ended", how });
        return { failed: { cause: how === "busy" ? "USER_BUSY" : "NORMAL_CLEARING" } };
      },
      group: (guide, { number }) => leadToGroup(guide.having(needs), number),
      ivr: (guide, { number }) => leadToMenu(guide.having(needs), number),
      announcement: (guide, { id }) => leadToAnnouncement(guide, id),
      tts: leadToSpeech,
      restart: noSuchPlace,
    },
  } satisfies SomeScripts;
}

type Dialling = { by: string; rights?: Rights | undefined };

async function leadToDialled(guide: DialGuide, dialled: string, { by, rights }: Dialling): Promise<Led> {
  const { book, call, has } = guide;
  const number = readDialled(dialled, book);
  if (number.is !== "service" && number.is !== "invalid")
    return leadToNumber(guide, { number, by, ...(rights && { rights }) });
  const code = number.is === "service" ? number.code : "";
  const found = has.codes.find((it) => code.startsWith(it.code) && it.follows.test(code.slice(it.code.length)));
  if (found) return found.lead(guide, code.slice(found.code.length), by);
  call.tell({ is: "not-a-number", number: dialled });
  return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
}

async function leadToNumber(
  guide: DialGuide,
  { number, by, rights, seconds, callerId: wanted, isOneOfMany }: Goals["number"],
): Promise<Led> {
  const { book, call } = guide;
  if (number.is === "extension" && isOneOfMany)
    return leadToExtension(guide, number.number, { seconds, forwards: "nowhere" });
  if (number.is === "extension") return leadInside(guide, number.number, seconds);
  const callerId = wanted ?? callerIdOf(guide, by);
  if (callerId === undefined && number.is !== "emergency") {
    call.tell({ is: "no-own-number" });
    return { failed: { cause: "FACILITY_REJECTED" } };
  }
  if (callerId) call.note({ outboundCallerId: written(callerId) });
  const { name = "", withholdNumber } = book.extensions.get(by) ?? {};
  // Who sends help always sees who calls.
  const withheld = number.is !== "emergency" && (call.facts.withheld ?? withholdNumber);
  const ringSeconds = seconds ?? book.settings.ringSeconds * 2;
  return leadOut(guide, { number, by, rights, callerId, name, withheld, seconds: ringSeconds, isOneOfMany });
}

/** Extensions, groups, queues and menus share one set of numbers. */
function leadInside(guide: DialGuide, number: string, seconds: number | undefined): Promise<Led> {
  const place = guide.book.places.get(number);
  if (!place) return leadToExtension(guide, number, { seconds });
  return guide.goOn({ is: "target", target: { to: place, number } });
}
