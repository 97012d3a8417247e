// What the exchange and its fax process say to each other. Plain values, since they cross a pipe.

import type { LawName } from "../../codecs/codec.ts";
import type { AgreedImage } from "../../sdp/image.ts";
import type { FaxEvent, FaxOptions, FaxResult } from "./fax-engine.ts";

/** Where the exchange opens sockets for its fax machines. */
export type FaxPlaces = {
  /** Address at which the other sides' T.38 packets come in; `::` takes those of both families. */
  bind: string;
  /** Those of the media engine: it starts at the lowest and we at the highest, and both step over what is taken. */
  ports: { from: number; to: number };
  /** Where the media engine sends sound to, and where it takes ours. */
  inside: string;
};

export type FaxProcessSettings = {
  /** For pages with their header, while they are sent. */
  folder: string;
};

export type SoundSide = { codec: LawName; enginePort: number };

export type ToFax = { session: number } & (
  | { do: "start"; options: FaxOptions }
  /** With a socket. */
  | { do: "openAudio"; side: SoundSide }
  | { do: "openT38" }
  | { do: "beginT38"; agreed: AgreedImage; alsoFrom: string | undefined }
  | { do: "terminate" }
  | { do: "close" }
);

export type FromFax =
  | { is: "ready" }
  /** The library is not there: nothing can be done. */
  | { is: "missing"; why: string }
  | { is: "beat" }
  | { is: "opened"; session: number; what: "audio" | "t38"; port: number }
  | { is: "notOpened"; session: number; what: "audio" | "t38"; why: string }
  | { is: "event"; session: number; event: FaxEvent }
  | { is: "done"; session: number; result: FaxResult }
  | { is: "fault"; text: string };

export const BEAT_MS = 1_000;
