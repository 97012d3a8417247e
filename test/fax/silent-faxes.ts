// Fax machines without sound: they send nothing, but know what was asked of them. For stories on a wound clock.

import type { FaxEngine, FaxEvent, FaxOptions, FaxResult, FaxSession } from "../../src/media/fax/fax-engine.ts";
import type { AgreedImage } from "../../src/sdp/image.ts";

export type SilentFax = {
  options: FaxOptions;
  /** What it was told to do, in order. */
  told: string[];
  agreed: AgreedImage | undefined;
  hear(event: FaxEvent): void;
  finish(result: Partial<FaxResult>): void;
};

export type SilentFaxes = FaxEngine & { sessions: SilentFax[] };

const WELL: FaxResult = {
  ok: true,
  pages: 1,
  rate: 14400,
  ecm: true,
  remoteStationId: "1",
  code: 0,
  text: "OK",
  t38: true,
  resolution: 196,
  badRows: 0,
};

export function silentFaxes(firstPort = 30_000): SilentFaxes {
  const sessions: SilentFax[] = [];
  return {
    sessions,
    inside: "127.0.0.1",
    availability: async () => ({ available: true }),
    stop: async () => undefined,
    start: (options) => session(options, sessions, firstPort + sessions.length * 2),
  };
}

function session(options: FaxOptions, sessions: SilentFax[], port: number): FaxSession {
  let finish: (result: FaxResult) => void = () => undefined;
  const done = new Promise<FaxResult>((resolve) => {
    finish = resolve;
  });
  const told: string[] = [];
  const fax: SilentFax = {
    options,
    told,
    agreed: undefined,
    hear: () => undefined,
    finish: (result) => finish({ ...WELL, ...result }),
  };
  sessions.push(fax);
  return {
    done,
    listen: (hear) => {
      fax.hear = hear;
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
      fax.agreed = agreed;
    },
    terminate() {
      told.push("terminate");
      fax.finish({ ok: false, code: 49, text: "The call dropped prematurely", pages: 0 });
    },
    close: () => void told.push("close"),
  };
}
