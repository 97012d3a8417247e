// Hands each event of the media engine to the leg whose stream it concerns.

import type { MediaEngine, StreamEvent, StreamId } from "../../media/engine.ts";

export type StreamHub = {
  /** Until the returned function is called. */
  listen(stream: StreamId, hear: (event: StreamEvent) => void): () => void;
};

/** Streams of an earlier process that nobody has taken up yet. */
const MOST_UNHEARD = 10_000;

/** `isSilent`: from then on nobody is told anything. */
export function openStreamHub(media: MediaEngine, isSilent = () => false): StreamHub {
  const listeners = new Map<StreamId, (event: StreamEvent) => void>();
  /** Who comes or goes is told once: of a stream that goes on, that may be before its leg is there. */
  const unheard = new Map<StreamId, StreamEvent>();
  media.onEvent((event) => {
    if (isSilent()) return;
    const hear = listeners.get(event.stream);
    if (hear) hear(event);
    else if (event.is === "away" && unheard.size < MOST_UNHEARD) unheard.set(event.stream, event);
  });
  return {
    listen(stream, hear) {
      listeners.set(stream, hear);
      const before = unheard.get(stream);
      unheard.delete(stream);
      if (before) queueMicrotask(() => listeners.get(stream) === hear && hear(before));
      return () => listeners.delete(stream);
    },
  };
}
