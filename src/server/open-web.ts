// How browsers speak with this server, as its settings want it: where they reach it, and by which way.

import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { familyOf, fromHere, isUnspecified } from "../addresses.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { BrowserPlace } from "../media/embedded/commands.ts";
import type { MediaEngine } from "../media/engine.ts";
import { openWebGateway, type WebGateway } from "../media/webrtc/gateway.ts";
import type { GatewaySettings } from "../media/webrtc/messages.ts";
import { openThreadGateway } from "../media/webrtc/thread-gateway.ts";
import type { Random } from "../sip/headers/random.ts";

export type WebNeeds = { config: Config; clock: Clock; log: Log; random: Random; media: MediaEngine };

/** Browsers speak with the engine's own threads, where these can agree on keys; elsewhere a library does it in a process. */
export function openWeb({ config, clock, log, random, media: { fingerprint } }: WebNeeds): WebGateway {
  const settings = webSettings(config, ownAddresses());
  if (fingerprint && config.webMedia === "threads") return openThreadGateway({ settings, fingerprint, random });
  return openWebGateway({
    clock,
    log,
    settings,
    processPath: fileURLToPath(new URL("./webrtc-gateway.js", import.meta.url)),
  });
}

/** Where the engine waits for browsers; undefined where they speak with the gateway's process. */
export function browserPlace(config: Config): BrowserPlace | undefined {
  if (config.webMedia === "process") return undefined;
  const { bind, ports } = webSettings(config, []);
  const [first = "", second] = bind;
  return { first, ...(second !== undefined && { second }), portRange: [ports.from, ports.to] };
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
