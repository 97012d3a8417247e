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

/** "left": it has hung up while nobody was there to hear it. "lost": it does not take it, and hears nobody any more. */
export async function tellPlace({ clock, media, dialog }: Place): Promise<"taken" | "left" | "lost"> {
  for (let tries = 1; ; tries++) {
    const response = await dialog.change(await media.offer());
    if (response === undefined) return "lost";
    const status = response === "busy" ? REQUEST_PENDING : response.status;
    if (response !== "busy" && status < 300)
      return "refused" in (await media.understand(answerIn(response))) ? "lost" : "taken";
    if (status === NO_SUCH_CALL) return "left";
    if (status !== REQUEST_PENDING || tries === MOST_TRIES) return "lost";
    await pause(clock, AGAIN_MS);
  }
}
