// What the media parts add to the metrics.

import { Gauge, type Registry } from "prom-client";
import type { WebGateway } from "../media/webrtc/gateway.ts";

export function countMedia(registry: Registry, web: WebGateway): void {
  new Gauge({
    name: "santral_web_peers",
    help: "Browsers that have a call",
    registers: [registry],
    async collect() {
      this.set(await web.peers());
    },
  });
}
