// A supervisor on somebody else's call: listens, whispers to the colleague, or joins in.

import type { NewAuditLine } from "../../../store/audit.ts";
import type { Doer } from "../../../store/audit-facts.ts";
import type { SupervisionMode } from "../../calls/audience.ts";
import type { Call, Led } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import type { Leg } from "../../calls/leg.ts";
import { isExtension, type LiveCalls } from "../../calls/live-calls.ts";
import type { Guide } from "../../lead/guide.ts";
import type { SomeScripts } from "../../lead/scripts.ts";

/** Hears and is heard as the mode says; or has the call from now on, in the colleague's place. */
export type Supervision = SupervisionMode | "take-over";

/** `by` is how the audit trail knows the supervisor. `call`: that one, and no other that the colleague may have by then. */
export type Supervise = { extension: string; mode: Supervision; by: Doer; call?: string | undefined };

declare module "../../calls/goal.ts" {
  interface Goals {
    /** A supervisor on the line. */
    supervise: Supervise;
  }
}

type SupervisionNeeds = {
  live: Pick<LiveCalls, "of">;
  audit(line: NewAuditLine): Promise<void>;
};

export function supervisionScripts(needs: SupervisionNeeds) {
  return {
    goals: { supervise: (guide, goal) => leadToSupervision(guide.having(needs), goal) },
  } satisfies SomeScripts;
}

type Dialled = { exchangeId: number; by: string; extension: string; supervise: SupervisionMode };

type Rights = Pick<SupervisionNeeds, "audit"> & {
  maySupervise(exchangeId: number, extension: string): Promise<boolean>;
};

/** For an extension that dials it. Whoever may not hears the busy tone, and the audit trail knows that he tried. */
export async function superviseByPhone(
  rights: Rights,
  { exchangeId, by: who, extension, supervise: mode }: Dialled,
): Promise<Goal> {
  const by = { doer: "extension", who } as const;
  if (await rights.maySupervise(exchangeId, who)) return { is: "supervise", extension, mode, by };
  await rights.audit({ ...by, exchangeId, did: "supervision-refused", details: { extension, mode } });
  return { is: "target", target: { to: "hangup", how: "busy" } };
}

/** Lasts until the colleague's part in the call is over, or the supervisor hangs up. */
async function leadToSupervision(guide: Guide<SupervisionNeeds>, wanted: Supervise): Promise<Led> {
  const { call, leg, has } = guide;
  const { extension, mode, by } = wanted;
  const exchangeId = guide.book.settings.id;
  call.note({ supervises: extension });
  const watchedCall = has.live.of(exchangeId, extension).find((it) => it !== call && isWatchable(it, wanted));
  const watched = watchedCall?.legs().find((it) => isExtension(it, extension));
  if (!watchedCall || !watched || !leg) {
    call.tell({ is: "talks-with-nobody", extension });
    return { failed: { cause: "USER_BUSY" } };
  }
  const line = guide.attendant();
  await line.accept();
  const { uuid } = watchedCall.facts;
  await has.audit({ ...by, exchangeId, did: "call-supervised", details: { extension, mode, call: uuid } });
  if (mode === "take-over") return takeOver({ call, leg }, { call: watchedCall, leg: watched });
  call.tell({ is: "supervises", extension, mode, call: uuid });
  watchedCall.tell({ is: "supervised", by: leg.party, mode });
  const leave = await watchedCall.conversation.letIn({ leg, watched, mode, call: call.facts.uuid });
  watchedCall.moved();
  try {
    await line.until(Promise.race([watched.over, watchedCall.over]));
    return { failed: { cause: "NORMAL_CLEARING" } };
  } finally {
    await leave();
    watchedCall.moved();
  }
}

/** Both sides of it are there. */
export function isWatchable(call: Call<Goal>, { call: uuid }: Pick<Supervise, "call">): boolean {
  return call.conversation.pair() !== undefined && (uuid === undefined || call.facts.uuid === uuid);
}

type OnTheLine = { call: Call<Goal>; leg: Leg };

/** Nobody rings: the supervisor's phone is in the colleague's place, and the call in which it was rung is over. */
function takeOver(own: OnTheLine, watched: OnTheLine): Led {
  const pair = watched.call.conversation.pair();
  if (pair?.a !== watched.leg && pair?.b !== watched.leg) return { failed: { cause: "USER_BUSY" } }; // gone meanwhile
  watched.call.tell({ is: "taken-over", by: own.leg.party, from: watched.leg.party });
  own.call.release(own.leg, "ATTENDED_TRANSFER");
  watched.call.takeOver(watched.leg, own.leg);
  return { failed: { cause: "ATTENDED_TRANSFER" } };
}
