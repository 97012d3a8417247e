// The fax machines as this server's settings want them: where the other sides reach them, and where the media engine does.

import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { FaxEngine } from "./media/fax/fax-engine.ts";
import { openFaxProcess } from "./media/fax/fax-process.ts";

export function openFax({ sip, rtpPorts }: Config, clock: Clock, log: Log): FaxEngine {
  return openFaxProcess({
    ...{ clock, log },
    settings: {
      bind: sip.host,
      ports: rtpPorts,
      inside: sip.host === "0.0.0.0" ? "127.0.0.1" : sip.host,
      folder: tmpdir(),
    },
    processPath: fileURLToPath(new URL("./fax-machines.js", import.meta.url)),
  });
}
