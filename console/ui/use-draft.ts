// A form that lies open on its page: what is stored, with what was typed laid over it.

import { useState } from "react";
import { changesBetween, type Draft } from "./field.ts";
import { useUnsaved } from "./unsaved.ts";

/**
 * What somebody else stores meanwhile shows where nothing was typed, and takes nothing away. Whoever saves says what
 * was taken; what was typed since then stays.
 */
export function useDraft(stored: Draft) {
  const [typed, type] = useState<Draft>({});
  const draft: Draft = { ...stored, ...typed };
  const changes = changesBetween(stored, draft);
  const isDirty = Object.keys(changes).length > 0;
  useUnsaved(isDirty);
  return {
    draft,
    changes,
    isDirty,
    change: (name: string, next: unknown) => type((before) => ({ ...before, [name]: next })),
    saved: (taken: Draft) => type((before) => changesBetween(taken, before)),
  };
}
