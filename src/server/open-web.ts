// The WebRTC gateway as this server's settings want it: where browsers reach it, and where the media engine does.

import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { familyOf, fromHere, isUnspecified } from "../addresses.ts";
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
function webSettings({ sip, publicIp, webPorts, webCalls }: Places, own: readonly string[]): GatewaySettings {
  const hosts = sip.map(({ host }) => host);
  const bind = ([4, 6] as const).flatMap((family) => bindOf(hosts.filter((host) => familyOf(host) === family)));
  const here = hosts.flatMap((host) =>
    isUnspecified(host) ? own.filter((it) => familyOf(it) === familyOf(host)) : host,
  );
  const [first = fromHere(hosts[0]!), ...others] = new Set([...publicIp, ...here]); // the settings name one host at least
  return { bind, reachableAt: [first, ...others], ports: webPorts, inside: fromHere(hosts[0]!), mostPeers: webCalls };
}

/** One socket a family: several addresses of one are heard by all of it. */
function bindOf([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (others.length === 0) return [first];
  return [familyOf(first) === 6 ? "::" : "0.0.0.0"];
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, internal }) => !internal && !address.startsWith("fe80"))
    .map(({ address }) => address);
}
