// PORT: who takes messages to handsets. Told a message, it answers; later it may bring a receipt, or a message from outside.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { CarrierRow } from "../store/sms-carriers.ts";
import type { HeardReceipt } from "../store/sms-receipts.ts";
import type { FinalState } from "../store/sms-state.ts";
import type { DataCoding } from "./coding.ts";

export type Submission = {
  /** Our own number of the message, written down before the carrier hears of it. */
  id: number;
  title: string;
  /** `905…` inland, `00…` abroad. */
  dest: string;
  text: string;
  coding: DataCoding;
  validUntilMs: number;
};

export type CarrierAnswer =
  | { said: "accepted"; references: string[] }
  | { said: "refused"; state: FinalState; gsmError: number }
  /** It never took the message, and asks for a pause, or is not there. */
  | { said: "later"; waitMs: number }
  /** The answer was cut off: it may have the message. */
  | { said: "nothing" };

export type ArrivedMessage = {
  from: string;
  to: string;
  text: string;
  network: string;
  receivedAtMs: number;
  /** Set where the carrier repeats what we did not acknowledge, so that it is stored once. */
  onceKey: string | undefined;
  part: { reference: number; count: number; number: number } | undefined;
};

/** What a carrier tells us. A promise is kept when it is stored: only then may the carrier be told that we have it. */
export type Hearing = {
  ready(): void;
  receipt(receipt: HeardReceipt): Promise<void>;
  message(message: ArrivedMessage): Promise<void>;
};

export type Carrier = {
  isReady(): boolean;
  submit(submission: Submission): Promise<CarrierAnswer>;
  /** For a carrier that lives and dies with us: it is told again what it took before and has not reported on. */
  resume?(submission: Submission): void;
  close(): Promise<void>;
};

export type CarrierSurroundings = { clock: Clock; log: Log; hear: Hearing };

export type OpenCarrier = (row: CarrierRow, surroundings: CarrierSurroundings) => Carrier;

export type Carriers = { [Kind in CarrierRow["kind"]]: OpenCarrier };

/** Takes nothing: what is meant for it waits until it expires, or until another one is in its place. */
export const shut: Carrier = {
  isReady: () => false,
  submit: async () => ({ said: "later", waitMs: 60_000 }),
  close: async () => undefined,
};
