// What the button at the foot of a form says.

import type { OperationName } from "../ask/ask.ts";
import type { Both } from "./language.tsx";
import { submits } from "./texts.ts";

export function submitWords(does: OperationName, otherwise: Both): Both {
  return submits[does] ?? otherwise;
}
