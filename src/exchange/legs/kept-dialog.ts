// A dialog as it is kept for a later process: with numbers to spare, and without connections, which end with this one.

import type { Dialog } from "../../sip/dialog.ts";
import { MAX_SEQUENCE } from "../../sip/headers/cseq.ts";
import { withoutConnection } from "../../sip/kept-invite.ts";

/** What we say after a keeping counts on from a number that only the next keeping knows: so many are set aside. */
const BLOCK = 100;

export function keptDialog(dialog: Dialog): Dialog {
  const localCSeq = Math.min(dialog.localCSeq + BLOCK, MAX_SEQUENCE);
  return { ...dialog, localCSeq, flow: dialog.flow && withoutConnection(dialog.flow) };
}

/** Half of what was set aside is left: time to keep it again, long before it is used up. */
export function isBlockShort({ localCSeq }: Dialog, keptTo: number | undefined): boolean {
  return keptTo !== undefined && keptTo - localCSeq < BLOCK / 2;
}
