// Hands each event of the media engine to the leg whose stream it concerns.

import type { MediaEngine, StreamEvent, StreamId } from "../../media/engine.ts";

export type StreamHub = {
  /** Until the returned function is called. */
  listen(stream: StreamId, hear: (event: StreamEvent) => void): () => void;
};

/** `isSilent`: from then on nobody is told anything. */
export function openStreamHub(media: MediaEngine, isSilent = () => false): StreamHub {
  const listeners = new Map<StreamId, (event: StreamEvent) => void>();
  media.onEvent((event) => {
    if (!isSilent()) listeners.get(event.stream)?.(event);
  });
  return {
    listen(stream, hear) {
      listeners.set(stream, hear);
      return () => listeners.delete(stream);
    },
  };
}
