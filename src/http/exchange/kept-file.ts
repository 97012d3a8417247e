// A sound that is kept, wherever it lies: here, or since it was put away only in a store outside, out of which it is streamed.

import { isTrouble } from "../../archive/archive.ts";
import { noteOutcome } from "../../exchange/archiving/notes.ts";
import { FilesAway } from "../../objects/objects.ts";
import type { KeptSound } from "../../store/kept-sounds.ts";
import { type FileAnswer, refuse } from "../door/answer.ts";
import type { Services } from "../door/context.ts";

type Means = Pick<Services, "db" | "clock" | "log" | "objects" | "archives">;

/** Undefined when it is not there any more. */
export async function keptFile(
  means: Means,
  exchangeId: number,
  { objectKey, mediaType, outside }: KeptSound,
): Promise<FileAnswer | undefined> {
  const { db, objects, archives } = means;
  const own = db.forExchange(exchangeId);
  // While our own bucket is away, what lies outside as well is had from there.
  const unlessAway = outside && archives ? <Found>(asked: Promise<Found>) => asked.catch(nothingIfAway) : asItIs;
  const size = (await unlessAway(objects.size(objectKey))) ?? (archives && outside?.size);
  if (size === undefined) return undefined;
  return {
    says: "file",
    mediaType,
    size,
    async open(range) {
      const here = await unlessAway(objects.read(objectKey, range));
      if (here) return here.stream;
      if (!outside || !archives) return undefined;
      const stream = await archives.read(own, exchangeId, { ...outside, range });
      if (!isTrouble(stream)) return stream;
      await noteOutcome({ ...means, db: own }, { exchangeId, archiveId: outside.archiveId, failed: stream });
      return refuse({ refused: "archive-silent" });
    },
  };
}

function nothingIfAway(error: unknown): undefined {
  if (!(error instanceof FilesAway)) throw error;
}

async function asItIs<Found>(asked: Promise<Found>): Promise<Found> {
  return asked;
}
