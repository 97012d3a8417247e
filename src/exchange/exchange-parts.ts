// What the exchange is built of, as its scripts and operations see it.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { CodecName, MediaEngine, Sound } from "../media/engine.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import type { WebFailure } from "../webhooks/requester.ts";
import type { Call } from "./calls/call.ts";
import type { Goal } from "./calls/goal.ts";
import type { Leg } from "./calls/leg.ts";
import type { FaxRoom } from "./features/faxes/fax-room.ts";
import type { QueueDesk } from "./features/queues/queue-desk.ts";
import type { Voicemail } from "./features/voicemail/voicemail.ts";
import type { Way } from "./lead/outside.ts";
import type { LegParts } from "./legs/leg-parts.ts";
import type { PhoneNumber } from "./plan/numbers.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Language } from "./plan/target.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";
import type { Spending } from "./spending/spending.ts";

export type ExchangeParts = {
  clock: Clock;
  log: Log;
  db: Db;
  secrets: Pick<Secrets, "open">;
  media: MediaEngine;
  legs: LegParts;
  registrar: Pick<Registrar, "contactsOf" | "isRegistered">;
  settings: SettingsBook;
  /** Those we speak, the preferred first. */
  codecs: readonly CodecName[];
  newId(): string;
  /** These SIP messages belong to that call: its ladder shows them. */
  traced(callUuid: string, sipCallId: string): void;
  /** Live calls in which the extension takes part or rings. */
  callsOf(exchangeId: number, extension: string): Call<Goal>[];
  /** The call in which this party is now. */
  callWith(exchangeId: number, leg: Leg): Call<Goal> | undefined;
  /** Channels of the public network that the exchange uses now. */
  outsideLegs(exchangeId: number): number;
  /** 0 to 1. */
  chance(): number;
  /** The playable file of a sound of the exchange; undefined when it has no such sound. */
  sound(exchangeId: number, id: number): Promise<string | undefined>;
  /** A file in which the text is spoken; undefined without a voice. */
  speak(text: string, language: Language, speed?: number): Promise<string | undefined>;
  /** A question to a customer's own service, guarded and bounded. */
  ask(url: string, limitMs: number): Promise<{ status: number; body: string } | WebFailure>;
  /** The words in a sound file; without a recogniser there is no such thing. */
  recognise: ((path: string) => Promise<string | undefined>) | undefined;
  voicemail: Omit<Voicemail, "counts" | "close">;
  queues: QueueDesk;
  /** Undefined: this exchange was built without a fax machine. */
  fax: FaxRoom | undefined;
  spending: Spending;
  /** What somebody hears who waits. */
  holdMusic: Sound[];
  /** Trunks for a number in the order in which they are tried. */
  waysTo(exchangeId: number, number: PhoneNumber): Way[];
};
