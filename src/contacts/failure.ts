// Why a source could not be read, as a value. Thrown inside a run, and caught once by whoever began it.

import { tidyText } from "./tidy-text.ts";

export type SourceFailureKind =
  | ("bad-url" | "not-public" | "late" | "too-long" | "unreachable" | "redirected-too-often")
  | ("login-refused" | "not-there" | "bad-answer" | "no-address-book" | "several-address-books")
  | ("no-table" | "no-phone-column" | "cut-off" | "too-many" | "password-unreadable" | "bad-columns" | "broken");

export type SourceFailure = { kind: SourceFailureKind; about: string };

const LONGEST_ABOUT = 300;

export class SourceFailed extends Error {
  readonly failure: SourceFailure;

  constructor(kind: SourceFailureKind, about = "") {
    super(`${kind} ${about}`.trim());
    this.failure = { kind, about: tidyText(about.slice(0, LONGEST_ABOUT)) };
  }
}

/** The run is not ours any more: it was stopped, or another one has begun. */
export class RunOver extends Error {}

export function failureOf(error: unknown): SourceFailure {
  return error instanceof SourceFailed
    ? error.failure
    : { kind: "broken", about: tidyText(String(error).slice(0, LONGEST_ABOUT)) };
}
