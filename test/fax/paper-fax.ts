// Fax machines on paper: they send nothing, but know what was asked of them. For stories on a wound clock.

import type { FaxEngine, FaxEvent, FaxOptions, FaxResult, FaxSession } from "../../src/media/fax/fax-engine.ts";
import type { AgreedImage } from "../../src/sdp/image.ts";

export type PaperFax = {
  options: FaxOptions;
  /** What it was told to do, in order. */
  told: string[];
  agreed: AgreedImage | undefined;
  hear(event: FaxEvent): void;
  finish(result: Partial<FaxResult>): void;
};

export type PaperFaxes = FaxEngine & { sessions: PaperFax[] };

const WELL: FaxResult = {
  ...{ ok: true, pages: 1, rate: 14400, ecm: true, remoteStationId: "1", code: 0, text: "OK", t38: true },
  ...{ resolution: 196, badRows: 0 },
};

export function paperFaxes(firstPort = 30_000): PaperFaxes {
  const sessions: PaperFax[] = [];
  return {
    sessions,
    inside: "127.0.0.1",
    availability: async () => ({ available: true }),
    stop: async () => undefined,
    start: (options) => session(options, sessions, firstPort + sessions.length * 2),
  };
}

function session(options: FaxOptions, sessions: PaperFax[], port: number): FaxSession {
  let finish: (result: FaxResult) => void = () => undefined;
  const done = new Promise<FaxResult>((resolve) => {
    finish = resolve;
  });
  const told: string[] = [];
  const paper: PaperFax = {
    ...{ options, told, agreed: undefined, hear: () => undefined },
    finish: (result) => finish({ ...WELL, ...result }),
  };
  sessions.push(paper);
  return {
    done,
    listen: (hear) => {
      paper.hear = hear;
    },
    async openAudio() {
      told.push("open sound");
      return { port };
    },
    async openT38() {
      told.push("open T.38");
      return { port: port + 1 };
    },
    beginT38(agreed) {
      told.push("begin T.38");
      paper.agreed = agreed;
    },
    terminate() {
      told.push("terminate");
      paper.finish({ ok: false, code: 49, text: "The call dropped prematurely", pages: 0 });
    },
    close: () => void told.push("close"),
  };
}
