// Fax as data on a leg: asked for by a re-INVITE of ours, or taken when the other side asks.

import type { LegImage } from "../calls/leg.ts";
import { answerIn } from "./answer-in.ts";
import type { DialogSide } from "./dialog-side.ts";
import type { MediaSide } from "./media-side.ts";

type ImageParts = {
  isAllowed: boolean;
  media(): MediaSide;
  /** Undefined before there is one, and when the leg is gone. */
  dialog(): DialogSide | undefined;
  /** What goes over it is an image from now on. */
  agreed(): void;
};

const REQUEST_PENDING = 491;

export function legImage({ isAllowed, media, dialog, agreed: noteAgreed }: ImageParts): LegImage {
  return {
    isAllowed,
    take(answer) {
      const side = media();
      side.takeImage = answer;
      return () => {
        if (side.takeImage === answer) side.takeImage = undefined;
      };
    },
    async offer(port) {
      const [side, talk] = [media(), dialog()];
      if (!talk) return { refused: undefined };
      const before = side.lastSdp();
      const response = await talk.change(await side.offerImage(port));
      const status = response === "busy" ? REQUEST_PENDING : response?.status;
      const isTaken = response !== undefined && response !== "busy" && response.status < 300;
      const agreed = isTaken ? await side.understandImage(answerIn(response)) : undefined;
      if (agreed) {
        noteAgreed();
        return { agreed };
      }
      side.saidBefore(before);
      return { refused: status };
    },
  };
}
