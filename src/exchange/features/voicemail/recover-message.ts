// A message that was being spoken, or being kept, when the exchange stopped: as much of it as there is reaches its owner.

import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { repairWav } from "../../../media/wav.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Database } from "../../../store/db.ts";
import { findMailbox } from "../../../store/mailboxes.ts";
import { hasVoicemail } from "../../../store/voicemail.ts";
import type { CallFacts } from "../../calls/call-facts.ts";
import { SHORTEST_MESSAGE_MS } from "./take-message.ts";
import { messageKey, messageName, noteMessage } from "./voicemail.ts";

export type RecoverParts = { db: Database; objects: Objects; folder: string };

/** Of one call that a crash cut off. False when it left no message, or one that its owner has already. */
export async function recoverMessage({ db, objects, folder }: RecoverParts, facts: CallFacts): Promise<boolean> {
  const asked = facts.story.findLast((line) => "is" in line && line.is === "asked-for-message");
  if (!asked || !("mailbox" in asked)) return false;
  const spoken = join(folder, messageName(facts.uuid));
  const objectKey = messageKey(facts.uuid);
  const isSpoken = await exists(spoken);
  const path = isSpoken ? spoken : await objects.here(objectKey);
  if (path === undefined) return false;
  const sound = await repairWav(path);
  const mailbox = await findMailbox(db, facts.exchangeId, asked.mailbox);
  if (!mailbox) return false; // nobody is left to hear it
  const isWorthIt = sound.is === "repaired" && sound.durationMs >= SHORTEST_MESSAGE_MS;
  if (!isWorthIt || (await hasVoicemail(db, facts.exchangeId, facts.uuid))) {
    await rm(spoken, { force: true });
    return false;
  }
  if (isSpoken) await objects.put(objectKey, { file: spoken });
  await noteMessage(db, { mailbox, facts, durationMs: sound.durationMs, objectKey });
  return true;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
