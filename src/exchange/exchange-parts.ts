// What the exchange is built of, as its scripts and operations see it.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { CodecName, MediaEngine } from "../media/engine.ts";
import type { Db } from "../store/db.ts";
import type { Call } from "./calls/call.ts";
import type { Goal } from "./calls/goal.ts";
import type { Way } from "./lead/outside.ts";
import type { LegParts } from "./legs/leg-parts.ts";
import type { PhoneNumber } from "./numbers.ts";
import type { Registrar } from "./registrar/registrar.ts";
import type { SettingsBook } from "./settings.ts";

export type ExchangeParts = {
  clock: Clock;
  log: Log;
  db: Db;
  media: MediaEngine;
  legs: LegParts;
  registrar: Pick<Registrar, "contactsOf" | "isRegistered">;
  settings: SettingsBook;
  /** Those we speak, the preferred first. */
  codecs: readonly CodecName[];
  newId(): string;
  /** Live calls in which the extension takes part or rings. */
  callsOf(exchangeId: number, extension: string): Call<Goal>[];
  /** Channels of the public network that the exchange uses now. */
  outsideLegs(exchangeId: number): number;
  /** Trunks for a number in the order in which they are tried. */
  waysTo(exchangeId: number, number: PhoneNumber): Way[];
};
