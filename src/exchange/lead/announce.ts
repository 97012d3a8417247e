// Says something to a caller and ends: a sound file of the exchange, or a sentence spoken for the occasion.

import type { Sound } from "../../media/engine.ts";
import type { Led } from "../calls/call.ts";
import type { Language } from "../plan/target.ts";
import type { Guide } from "./guide.ts";

export async function leadToAnnouncement(guide: Guide, id: number): Promise<Led> {
  const sound = await guide.sound(id);
  if (!sound) {
    guide.call.tell({ is: "no-such", what: "sound", which: String(id) });
    return { failed: { cause: "NO_ROUTE_DESTINATION" } };
  }
  guide.call.tell({ is: "hears-sound", sound: id });
  return sayAndEnd(guide, sound);
}

export async function leadToSpeech(
  guide: Guide,
  { language, text }: { language: Language; text: string },
): Promise<Led> {
  const sound = await guide.speak(text, language);
  if (!sound) {
    guide.call.tell({ is: "no-voice" });
    return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
  }
  guide.call.tell({ is: "hears", text });
  return sayAndEnd(guide, sound);
}

export async function sayAndEnd(guide: Guide, sound: Sound): Promise<Led> {
  const line = guide.attendant();
  await line.answer();
  await line.play([sound]);
  return { failed: { cause: "NORMAL_CLEARING" } };
}
