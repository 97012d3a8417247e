// A field of a form, as a page describes it.

import type { Place } from "../../src/exchange/plan/target.ts";

/** How a field is filled in. What is "or nothing" may be left empty and is then null. */
export type FieldKind =
  | { is: "text"; longest?: number; placeholder?: string }
  | { is: "digits"; longest?: number }
  | { is: "area"; longest?: number }
  | { is: "secret" }
  | { is: "email" }
  | { is: "whole"; least: number; most: number; orNothing?: boolean }
  | { is: "switch" }
  | { is: "choice"; options: [value: string, label: string][]; orNothing?: boolean }
  /** In the order in which they are chosen. */
  | { is: "several"; among: readonly { value: string; label: string }[]; orNothing?: boolean }
  | { is: "target"; place?: Place; orNothing?: boolean }
  /** Where each key leads. */
  | { is: "keys"; place: Place }
  | { is: "sound" }
  | { is: "own-number" }
  | { is: "trunk" }
  | { is: "form" }
  | { is: "extension"; orNothing?: boolean }
  | { is: "members"; outside?: boolean }
  | { is: "queues" }
  | { is: "time"; orNothing?: boolean }
  | { is: "day" }
  | { is: "days" }
  | { is: "week"; orNothing?: boolean }
  | { is: "file"; accept: string }
  | { is: "words" };

export type Field = FieldKind & {
  label: string;
  about?: string;
  required?: boolean;
  /** Cannot be changed once it is made. */
  fixed?: boolean;
  /** Together with its like under a heading, which opens for what is wrong under it. */
  under?: string;
  /** The heading is open from the beginning. */
  open?: true;
  /** What is wrong with what stands there. */
  error?: string;
  /** Shown only while this holds. */
  when?: (draft: Draft) => boolean;
};

export type Draft = Record<string, unknown>;

export function changesBetween(before: Draft, after: Draft): Draft {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
