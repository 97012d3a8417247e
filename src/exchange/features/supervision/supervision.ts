// A supervisor on somebody else's call: listens, whispers to the colleague, or joins in.

import type { SupervisionMode } from "../../calls/audience.ts";
import type { Led } from "../../calls/call.ts";
import { isExtension } from "../../calls/live-calls.ts";
import type { Guide } from "../../lead/guide.ts";

export type Supervise = { extension: string; mode: SupervisionMode; who: string };

/** Lasts until the colleague's part in the call is over, or the supervisor hangs up. */
export async function leadToSupervision(guide: Guide, { extension, mode, who }: Supervise): Promise<Led> {
  const { call, leg, exchange } = guide;
  const exchangeId = guide.book.settings.id;
  const watchedCall = exchange.callsOf(exchangeId, extension).find((it) => it !== call && it.conversation.pair());
  const watched = watchedCall?.legs().find((it) => isExtension(it, extension));
  if (!watchedCall || !watched || !leg) {
    call.tell({ is: "talks-with-nobody", extension });
    return { failed: { cause: "USER_BUSY" } };
  }
  const line = guide.line();
  await line.answer();
  const did = `supervises extension ${extension} (${mode}), call ${watchedCall.facts.uuid}`;
  await exchange.queues.store.audit({ exchangeId, who, did });
  call.tell({ is: "supervises", extension, mode, call: watchedCall.facts.uuid });
  watchedCall.tell({ is: "supervised", by: leg.party, mode });
  const leave = await watchedCall.conversation.letIn({ leg, watched, mode });
  try {
    await line.until(Promise.race([watched.over, watchedCall.over]));
    return { failed: { cause: "NORMAL_CLEARING" } };
  } finally {
    await leave();
  }
}
