// The switch by which the office is open or closed whatever its hours say: turned by a phone, and shown by its lamp.

import type { MediaEngine } from "../media/engine.ts";
import type { OfficeSwitch } from "../nouns/choices.ts";
import type { LampCall } from "../sip/notification.ts";
import { writeAuditLine } from "../store/audit.ts";
import type { CallSettings } from "../store/call-settings.ts";
import type { Db } from "../store/db.ts";
import { switchOffice } from "../store/office.ts";
import type { Leg } from "./calls/leg.ts";
import { sayWhether } from "./features/agents/phone-codes.ts";
import type { SettingsBook } from "./plan/settings.ts";

/** False where phones may not. Without a position it is closed, or goes by its hours again. */
async function turnByPhone(
  db: Db,
  { settings: { id: exchangeId, officeSwitch, officeByPhone } }: CallSettings,
  { by, to = officeSwitch === "hours" ? "closed" : "hours" }: { by: string; to?: OfficeSwitch | undefined },
): Promise<boolean> {
  if (!officeByPhone) return false;
  await db.transaction(async (db) => {
    await switchOffice(db, exchangeId, to);
    const line = { doer: "extension", who: by, did: "office-switched", details: { to } } as const;
    await writeAuditLine(db, { ...line, exchangeId });
  });
  return true;
}

/** Whoever dialled the code hears whether it was done. */
export async function turnedByPhone(
  { db, media }: { db: Db; media: Pick<MediaEngine, "play"> },
  { leg, book, to }: { leg: Leg; book: CallSettings; to: OfficeSwitch | undefined },
): Promise<void> {
  await sayWhether(await turnByPhone(db, book, { by: leg.party.number, to }), { media, leg });
}

/** Lit while the office is closed by hand, and blinks while it is open by hand. */
const LAMPS: Record<OfficeSwitch, LampCall[]> = {
  hours: [],
  open: [{ id: "office", state: "early", direction: "recipient" }],
  closed: [{ id: "office", state: "confirmed", direction: "recipient" }],
};

export type OfficeLamp = { calls(exchangeId: number): readonly LampCall[]; close(): void };

/** Lamps are asked for at once, so that what they show is known before: it is read when somebody first looks. */
export function openOfficeLamp(settings: SettingsBook, changed: (exchangeId: number) => void): OfficeLamp {
  const known = new Map<number, OfficeSwitch>();
  const look = async (exchangeId: number) => {
    const book = await settings.of(exchangeId).catch(() => undefined); // the next change is another try
    const now = book?.settings.officeByPhone ? book.settings.officeSwitch : "hours";
    const before = known.get(exchangeId);
    known.set(exchangeId, now);
    if (before !== now) changed(exchangeId);
  };
  const stop = settings.onChange?.((exchangeId) => {
    for (const id of exchangeId === undefined ? known.keys() : [exchangeId]) if (known.has(id)) void look(id);
  });
  return {
    calls(exchangeId) {
      const now = known.get(exchangeId);
      if (now === undefined) {
        known.set(exchangeId, "hours");
        void look(exchangeId);
      }
      return LAMPS[now ?? "hours"];
    },
    close: () => stop?.(),
  };
}
