// What is being written about a call and not saved yet: this browser keeps it over a reload, and for a day at most.

import { useEffect, useState } from "react";

export type NoteDraft = { note: string; tags: string[]; disposition: string | null; open: boolean };

const BEFORE = "santral.note ";
const KEPT_MS = 86_400_000;

type Kept = NoteDraft & { keptMs: number };

function keptDraft(callUuid: string): NoteDraft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(BEFORE + callUuid) ?? "null") as Kept | null; // only written below
    if (kept === null || Date.now() - kept.keptMs > KEPT_MS) return undefined;
    const { keptMs: _, ...draft } = kept;
    return draft;
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

function keepDraft(callUuid: string, draft: NoteDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(BEFORE + callUuid, JSON.stringify({ ...draft, keptMs: Date.now() } satisfies Kept));
    else localStorage.removeItem(BEFORE + callUuid);
  } catch {
    // as above
  }
}

/** Whoever ends with a line break is shown it while he writes, and has nothing more to save. */
export function asSaved(draft: NoteDraft): NoteDraft {
  return { ...draft, note: draft.note.trim() };
}

/** What stands in the form: what was typed last, or else what is stored. `isDirty`: the two differ. */
export function useNoteDraft(callUuid: string, stored: NoteDraft) {
  const [draft, setDraft] = useState(() => keptDraft(callUuid) ?? stored);
  const isDirty = JSON.stringify(asSaved(draft)) !== JSON.stringify(stored);
  useEffect(() => keepDraft(callUuid, isDirty ? draft : undefined), [callUuid, draft, isDirty]);
  return { draft, isDirty, change: (next: Partial<NoteDraft>) => setDraft((before) => ({ ...before, ...next })) };
}
