// What somebody outside may know or guess of an exchange, and the words in which its rows are written.

import { createHash } from "node:crypto";

export type Place = {
  exchangeId: number;
  /** Stands in every text that nobody outside has a reason to know. */
  marker: string;
  /** The id of the first row in every table. */
  id: number;
  /** Four digits that only this exchange's own numbers and names have. */
  own: string;
};

export type Furnished = Place & ReturnType<typeof handlesOf>;

/** What somebody outside may know or guess of an exchange: none of it carries the marker. */
export function handlesOf({ id, own }: Place) {
  const uuid = (kind: number) => `0000000${kind}-0000-4000-8000-${String(id).padStart(12, "0")}`;
  return {
    uuid: uuid(1),
    missedUuid: uuid(2),
    liveUuid: uuid(3),
    faxUuid: uuid(6),
    extension: `1${own}1`,
    queue: `2${own}2`,
    group: `7${own}7`,
    menu: `3${own}3`,
    external: `90850${own}000`,
    secondExternal: `90850${own}001`,
    blocked: `90532${own}000`,
    trunk: `hat ${own}`,
    rule: `kural ${own}`,
    subject: `kisi-${own}`,
    email: `yonetici-${own}@example.com`,
    username: `sms-${own}`,
    title: `BASLIK-${own}`,
    customId: `siparis-${own}`,
    carrier: `tasiyici ${own}`,
    brandCode: 600_000 + Number(own),
    apiKey: `K${uuid(4)}`,
    smsPassword: `sms password ${own}`,
    sessionToken: createHash("sha256").update(`session ${id}`).digest("base64url"),
    attemptToken: createHash("sha256").update(`attempt ${id}`).digest("base64url"),
    ticket: `R${uuid(1)}`,
    faxTicket: `F${uuid(1)}`,
    phoneTicket: `P${uuid(1)}`,
    webphoneToken: `W${uuid(1)}`,
    wallToken: `B${createHash("sha256").update(`wall ${id}`).digest("base64url")}`,
  };
}

export type Put = (table: string, ...rows: Record<string, unknown>[]) => Promise<void>;

export const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Both exchanges have the same provider: only the exchange tells its people apart. */
export const ISSUER = "https://login.example.com";

export const SOON = new Date(Date.now() + 20 * 86_400_000);
export const EARLIER = new Date(Date.now() - 86_400_000);
