// A supervisor on somebody else's call: listens, whispers to the colleague, or joins in.

import type { NewAuditLine } from "../../../store/audit.ts";
import type { Doer } from "../../../store/audit-facts.ts";
import type { SupervisionMode } from "../../calls/audience.ts";
import type { Led } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { isExtension, type LiveCalls } from "../../calls/live-calls.ts";
import type { Guide } from "../../lead/guide.ts";
import type { SomeScripts } from "../../lead/scripts.ts";

/** `by` is how the audit trail knows the supervisor. */
export type Supervise = { extension: string; mode: SupervisionMode; by: Doer };

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
async function leadToSupervision(guide: Guide<SupervisionNeeds>, { extension, mode, by }: Supervise): Promise<Led> {
  const { call, leg, has } = guide;
  const exchangeId = guide.book.settings.id;
  const watchedCall = has.live.of(exchangeId, extension).find((it) => it !== call && it.conversation.pair());
  const watched = watchedCall?.legs().find((it) => isExtension(it, extension));
  if (!watchedCall || !watched || !leg) {
    call.tell({ is: "talks-with-nobody", extension });
    return { failed: { cause: "USER_BUSY" } };
  }
  const line = guide.attendant();
  await line.accept();
  const details = { extension, mode, call: watchedCall.facts.uuid };
  await has.audit({ ...by, exchangeId, did: "call-supervised", details });
  call.tell({ is: "supervises", ...details });
  watchedCall.tell({ is: "supervised", by: leg.party, mode });
  const leave = await watchedCall.conversation.letIn({ leg, watched, mode });
  try {
    await line.until(Promise.race([watched.over, watchedCall.over]));
    return { failed: { cause: "NORMAL_CLEARING" } };
  } finally {
    await leave();
  }
}
