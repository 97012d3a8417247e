// The WebRTC gateway as this server's settings want it: where browsers reach it, and where the media engine does.

import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { fromHere, isUnspecified, LOOPBACK } from "../addresses.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { openWebGateway, type WebGateway } from "../media/webrtc/gateway.ts";
import type { GatewaySettings } from "../media/webrtc/messages.ts";

export function openWeb(config: Config, clock: Clock, log: Log): WebGateway {
  return openWebGateway({
    clock,
    log,
    settings: webSettings(config, ownAddresses()),
    processPath: fileURLToPath(new URL("./webrtc-gateway.js", import.meta.url)),
  });
}

type Places = Pick<Config, "sip" | "publicIp" | "webPorts" | "webCalls">;

/** No server outside is asked what our address is: the operator has said it, or it is one of the machine's own. */
function webSettings({ sip, publicIp, webPorts, webCalls }: Places, own: string[]): GatewaySettings {
  const here = isUnspecified(sip.host) ? own : [sip.host];
  const [first = LOOPBACK, ...others] = new Set([...(publicIp === undefined ? [] : [publicIp]), ...here]);
  return {
    bind: sip.host,
    reachableAt: [first, ...others],
    ports: webPorts,
    inside: fromHere(sip.host),
    mostPeers: webCalls,
  };
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
}
