// How transactions end, all four alike: it is over, and its owner hears why it failed.

import type { Step } from "../../machine.ts";

type Ended<Failure> = Step<{ at: "terminated" }, { do: "finish" } | { do: "report"; failure: Failure }>;

export function finish(): Ended<never> {
  return { next: { at: "terminated" }, effects: [{ do: "finish" }] };
}

export function timeOut(): Ended<"timeout"> {
  return { next: { at: "terminated" }, effects: [{ do: "finish" }, { do: "report", failure: "timeout" }] };
}

export function fail(): Ended<"unreachable"> {
  return { next: { at: "terminated" }, effects: [{ do: "finish" }, { do: "report", failure: "unreachable" }] };
}
