// What the button at the foot of a form says.

import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Both } from "./language.tsx";
import { submits } from "./texts.ts";

export function submitWords(does: keyof ConsoleApi, otherwise: Both): Both {
  return submits[does] ?? otherwise;
}
