// A party whose voice is elsewhere than it was told last: it is told by a re-INVITE, and its answer settles the voice there.

import { type Clock, pause } from "../../clock.ts";
import { answerIn, type DialogSide } from "./dialog-side.ts";
import type { MediaSide } from "./media-side.ts";

type Place = { clock: Clock; media: MediaSide; dialog: DialogSide };

const REQUEST_PENDING = 491;
const NO_SUCH_CALL = 481;
/** Whoever changes something himself at that moment is asked again a little later (RFC 3261, 14.1). */
const AGAIN_MS = 2_100;
const MOST_TRIES = 4;

/** Refused: it does not take it, and hears nobody any more. Gone: it has left, unheard (RFC 3261, 12.2.1.2). */
export async function tellPlace({ clock, media, dialog }: Place): Promise<"told" | "refused" | "gone"> {
  for (let tries = 1; ; tries++) {
    const response = await dialog.change(await media.offer());
    if (response === undefined) return "refused";
    const status = response === "busy" ? REQUEST_PENDING : response.status;
    if (response !== "busy" && status < 300)
      return "refused" in (await media.understand(answerIn(response))) ? "refused" : "told";
    if (status === NO_SUCH_CALL) return "gone";
    if (status !== REQUEST_PENDING || tries === MOST_TRIES) return "refused";
    await pause(clock, AGAIN_MS);
  }
}
