// A caller takes his place in a line that is in order.

import { inLine, type WaitingCaller } from "./assign.ts";

export function putInLine<Caller extends WaitingCaller>(line: Caller[], caller: Caller): void {
  let at = line.length;
  while (at > 0 && inLine(caller, line[at - 1]!) < 0) at--;
  line.splice(at, 0, caller);
}
