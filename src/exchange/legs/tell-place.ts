// A party whose voice is elsewhere than it was told last: it is told by a re-INVITE, and its answer settles the voice there.

import { type Clock, pause } from "../../clock.ts";
import { answerIn } from "./answer-in.ts";
import type { DialogSide } from "./dialog-side.ts";
import type { LegCore } from "./leg-core.ts";
import type { MediaSide } from "./media-side.ts";

type Place = { clock: Clock; media: MediaSide; dialog: DialogSide };
type Moved = Pick<LegCore, "clock" | "media" | "dialog" | "fail" | "gone" | "settled" | "events">;

const REQUEST_PENDING = 491;
const NO_SUCH_CALL = 481;
/** Whoever changes something himself at that moment is asked again a little later (RFC 3261, 14.1). */
const AGAIN_MS = 2_100;
const MOST_TRIES = 4;

/** `taken` is told before anybody keeps anything of it. Whoever does not take it is let go. */
export async function tellMoved(core: Moved, taken: () => void): Promise<void> {
  const { clock, media, dialog } = core;
  const wasHeld = media.isHeld();
  const told = dialog ? await tellPlace({ clock, media, dialog }) : "lost";
  if (told === "left") return core.gone({ cause: "NORMAL_CLEARING" });
  if (told === "lost") return core.fail("NORMAL_TEMPORARY_FAILURE");
  taken();
  core.settled();
  if (wasHeld !== media.isHeld()) core.events.say({ is: "held", on: media.isHeld() });
}

/** "left": it has hung up while nobody was there to hear it. "lost": it does not take it, and hears nobody any more. */
async function tellPlace({ clock, media, dialog }: Place): Promise<"taken" | "left" | "lost"> {
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
