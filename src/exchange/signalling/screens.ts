// Whoever looks at a request before it costs a transaction, one after the other.

import type { LookAgain, Screened, StackOptions } from "../../sip/stack-options.ts";

type Screen = NonNullable<StackOptions["screen"]>;

/** One after the other, until one of them does not let it pass. */
export function screens(all: readonly Screen[]): Screen {
  return (request, source) => {
    for (const [at, screen] of all.entries()) {
      const screened = screen(request, source);
      if (typeof screened === "function") return andThen(screened, () => screens(all.slice(at + 1))(request, source));
      if (screened !== "pass") return screened;
    }
    return "pass";
  };
}

/** Nobody after one that has it wait has it wait again. */
function andThen(lookAgain: LookAgain, rest: () => Screened): LookAgain {
  return () => {
    const found = lookAgain();
    const screened = found === "pass" ? rest() : found;
    return typeof screened === "function" ? "wait" : screened;
  };
}
