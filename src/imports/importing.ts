// What every kind of import is made of: rows read one by one, and those that can be taken written together.

import type { Clock } from "../clock.ts";
import type { ConsentRefusal } from "../sms/consent.ts";
import type { SendRefusal } from "../sms/order.ts";
import type { Db } from "../store/db.ts";

/** A row by what its columns are; `named` asks by the heading as it stands in the file. */
export type Cells = { get(field: string): string; named(heading: string): string | undefined };

export type SmsCode = SendRefusal["refused"] | ConsentRefusal["refused"];

/** Why a row is left out. */
export type RowWhy =
  | "no-phone"
  | "bad-phone"
  | "no-name"
  | "bad-value"
  | "twice"
  | "known"
  | "no-text"
  | "bad-language"
  | "too-long"
  | "no-such-sound"
  | SmsCode;

/** `value`: what stands in the file there. */
export type RowFault = { why: RowWhy; value: string };

/** `key` is the same for rows that mean the same; `shown` is what a preview tells of it. */
export type ReadRow<Item> = { item: Item; key: string; shown: readonly string[] } | RowFault;

export type Written = { madeId: number | null; left: ReadonlyMap<number, RowFault> };

export type Importing<Item> = {
  read(cells: Cells): ReadRow<Item>;
  /** Inside a transaction. Items that cannot be taken after all are told by their places. */
  write(db: Db, items: readonly Item[], madeId: number | null): Promise<Written>;
};

/** What goes for the whole file; a kind takes what it knows. */
export type ImportSettings = {
  known?: "leave" | "add";
  title?: string;
  text?: string;
  commercial?: boolean;
  recipientType?: string;
  addOptOut?: boolean;
  type?: string;
  status?: string;
  source?: string;
  date?: string;
  campaignId?: number;
};

/** Why a file cannot be begun as it is asked for. */
export type ImportRefusal =
  | { refused: "external-contacts" | "no-sms-account" }
  | { refused: "sms"; code: SmsCode }
  | { refused: "not-found"; what: "campaign"; which: string };

export type ImportParts = { db: Db; clock: Clock; exchangeId: number };

export const isFault = <Item>(row: ReadRow<Item>): row is RowFault => "why" in row;

/** Others have their turn after so many rows were read. */
export const ROWS_AT_ONCE = 20;

const LONGEST_VALUE = 100;

export const fault = (why: RowWhy, value = ""): RowFault => ({ why, value: value.slice(0, LONGEST_VALUE) });
