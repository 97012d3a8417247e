// Where the next request of a dialog goes, its name looked up where it has one.

import { asProved, type Dialog, nextHopOf } from "../../sip/dialog.ts";
import type { Destination } from "../../sip/transport/transport.ts";

export async function hopsOf(
  { locate }: { locate(uri: string): Promise<Destination[]> },
  dialog: Dialog,
): Promise<Destination[]> {
  const hop = nextHopOf(dialog);
  const found = typeof hop === "string" ? await locate(hop) : [hop];
  return found.map((it) => asProved(it, dialog));
}
