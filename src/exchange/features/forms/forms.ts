// Which form a call gets, and who owes it: every extension that takes or makes a call whose queue, group or direction
// has one, from the moment it talks.

import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { FormRef, FormsChosen } from "../../../store/call-settings.ts";
import type { Call, Journal } from "../../calls/call.ts";
import type { CallFacts } from "../../calls/call-facts.ts";
import type { Goal } from "../../calls/goal.ts";
import type { Leg } from "../../calls/leg.ts";
import { callerShown, destinationShown } from "../../journal/call-record.ts";
import type { SettingsBook } from "../../plan/settings.ts";

/** The most specific wins: the place the call came to last, then its direction. Inside there is only the place. */
export function formFor(
  { places, inbound, outbound }: FormsChosen,
  { queue, direction }: Pick<CallFacts, "queue" | "direction">,
): FormRef | undefined {
  const ofPlace = queue === undefined ? undefined : places.get(queue);
  return ofPlace ?? { inbound, outbound, internal: undefined }[direction];
}

export type FormDeskNeeds = { settings: SettingsBook; journal: Pick<Journal, "kept">; clock: Clock; log: Log };

/** Told of those who begin to talk in a call. A call that cannot get its form goes on without. */
export function openFormDesk({ settings, journal, clock, log }: FormDeskNeeds) {
  return (call: Call<Goal>, newcomers: readonly Leg[]): void => {
    const extensions = newcomers.flatMap((leg) => {
      const isAgent = leg.party.is === "extension" && isTheirs(call, leg);
      return isAgent ? [leg.party.number] : [];
    });
    const atMs = clock.wall();
    if (extensions.length > 0) owe(call, extensions, atMs).catch((error: unknown) => tell(call, error));
  };

  async function owe(call: Call<Goal>, extensions: readonly string[], atMs: number): Promise<void> {
    const book = await settings.of(call.facts.exchangeId);
    const form = book && formFor(book.forms, call.facts);
    const { forms = [] } = call.facts;
    const owing = extensions.filter((extension) => !forms.some((it) => it.extension === extension));
    if (!form || owing.length === 0) return;
    const about = { formId: form.id, version: form.version, atMs, ...whom(call.facts) };
    call.note({ forms: [...forms, ...owing.map((extension) => ({ extension, ...about }))] });
    await journal.kept(call.facts.uuid); // his web phone asks for it now
  }

  function tell(call: Call<Goal>, error: unknown): void {
    log.warn({ call: call.facts.uuid, error: String(error) }, "a call goes on without its form");
  }
}

/** Of two inside, the one who calls is the customer of the other; unless it is the agent who calls him back. */
function isTheirs(call: Call<Goal>, leg: Leg): boolean {
  if (call.facts.direction !== "internal") return true;
  const isCallback = call.facts.story.some((line) => "is" in line && line.is === "called-back");
  return call.isCaller(leg) === isCallback;
}

/** The other side, as an agent knows it. */
function whom(facts: CallFacts) {
  const { direction, queue = null, callerName, destinationName } = facts;
  const isOut = direction === "outbound";
  const number = isOut ? destinationShown(facts) : callerShown(facts);
  return { direction, queue, number, name: isOut ? destinationName : callerName };
}
