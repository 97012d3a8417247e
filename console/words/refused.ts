// The server said no.

import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";

/** A "no" with a reason that has words in both languages. */
export class Refused extends Error {
  readonly refusal: ConsoleRefusal;

  constructor(refusal: ConsoleRefusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}
