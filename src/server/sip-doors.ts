// The SIP listeners of a server, as the settings want them: UDP and TCP at one port, TLS beside, WebSocket on HTTP.

import { readFile, stat } from "node:fs/promises";
import { bracketed } from "../addresses.ts";
import type { Cancel, Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { ListenAt } from "../config-addresses.ts";
import { clientAddressBehind } from "../http/door/client-address.ts";
import type { Log } from "../log.ts";
import { openTcp } from "../sip/transport/tcp.ts";
import { type Certificates, openTls, type TlsTransport } from "../sip/transport/tls.ts";
import type { DoorReach, Transport } from "../sip/transport/transport.ts";
import { openUdp } from "../sip/transport/udp.ts";
import { openWebSocket, type WebSocketTransport } from "../sip/transport/websocket.ts";
import type { SipDoor } from "../store/phone-tickets.ts";
import { giveUp } from "./give-up.ts";
import type { Reach } from "./reach.ts";

export type SipDoors = {
  transports: Transport[];
  /** To be attached to the HTTP server. */
  webSocket: WebSocketTransport;
  /** host:port of UDP and TCP, and of TLS where there is one, as the settings name them. */
  addresses: [string, ...string[]];
  tlsAddresses: string[];
  /** Where a phone at that address finds us, the usual way first. */
  toldTo(peer: string): SipDoor[];
  /** Stops watching certificates; whoever took the transports closes those. */
  close(): Promise<void>;
};

export type SipDoorsNeeds = { config: Config; clock: Clock; log: Log; reach: Reach };

const PORT_ATTEMPTS = 20;
const CERTIFICATE_LOOK_MS = 60_000;

export async function openSipDoors({ config, clock, log, reach }: SipDoorsNeeds): Promise<SipDoors> {
  const opened: Transport[] = [];
  const open = async <Door>(at: ListenAt, variable: string, door: () => Promise<Door>) => {
    try {
      return await orGiveUp(at, variable, door);
    } catch (error) {
      await Promise.all(opened.map((transport) => transport.close()));
      throw error;
    }
  };
  for (const at of config.sip)
    opened.push(
      ...(await open(at, "SANTRAL_SIP", () => openPair(at, { clock, reach: doorReach(reach, at, config.sip) }))),
    );
  const secure = await certificatesOf(config);
  const tls: TlsTransport[] = [];
  for (const at of config.sipTls) {
    const surroundings = { clock, reach: doorReach(reach, at, config.sipTls) };
    tls.push(await open(at, "SANTRAL_SIP_TLS", async () => openSecure(at, await secure.read(), surroundings)));
    opened.push(...tls.slice(-1));
  }
  const stopWatching = tls.length > 0 ? watch({ transports: tls, ...secure, clock, log }) : () => undefined;
  const clientAddress = clientAddressBehind(config.trustedProxies);
  const webSocket = openWebSocket({
    clock,
    secure: config.publicUrl?.startsWith("https:") ?? false,
    sentBy: opened[0]!.sentBy, // the settings name one at least
    reach: { toldTo: (peer) => told(reach, peer, config.sip[0].host) },
    addressOf: ({ socket, headers }) => clientAddress(socket.remoteAddress, headers["x-forwarded-for"]),
  });
  const [address = "", ...others] = opened.flatMap((door) => (door.name === "udp" ? addressOf(door) : []));
  return {
    transports: [...opened, webSocket],
    webSocket,
    addresses: [address, ...others],
    tlsAddresses: tls.map(addressOf),
    toldTo: (peer) => opened.flatMap((door) => doorFor(door, peer)),
    close: async () => stopWatching(),
  };
}

/** Which of several addresses leads there is asked for each: a phone is told one it can reach. */
function doorFor({ name, sentBy, leadsTo, toldTo }: Transport, peer: string): SipDoor[] {
  if ((name !== "udp" && name !== "tcp" && name !== "tls") || leadsTo?.(peer) === false) return [];
  const host = toldTo?.(peer) ?? sentBy.host;
  return [{ host: host.replace(/^\[|\]$/g, ""), port: sentBy.port, transport: name }];
}

type Surroundings = { clock: Clock; reach: DoorReach };

function doorReach(reach: Reach, { host }: ListenAt, all: readonly ListenAt[]): DoorReach {
  const hosts = all.map((at) => at.host);
  return { toldTo: (peer) => told(reach, peer, host), leadsTo: (peer) => reach.boundFor(peer, hosts) === host };
}

const told = (reach: Reach, peer: string, bound: string) => bracketed(reach.toldTo(peer, bound));

/** UDP and TCP share a port: when any free one will do, the first that is free for both. */
async function openPair({ host, port }: ListenAt, { clock, reach }: Surroundings): Promise<[Transport, Transport]> {
  for (let attempt = 1; ; attempt++) {
    const udp = await openUdp({ address: host, port, reach });
    try {
      return [udp, await openTcp({ clock, address: host, port: udp.sentBy.port, reach })];
    } catch (error) {
      await udp.close();
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function openSecure(
  { host, port }: ListenAt,
  certificates: Certificates,
  { clock, reach }: Surroundings,
): Promise<TlsTransport> {
  return openTls({ clock, address: host, port, certificates, reach });
}

type Secure = { certFile: string; read(): Promise<Certificates> };

async function certificatesOf({ sipTls, tlsCertificate, tlsKey }: Config): Promise<Secure> {
  if (sipTls.length > 0 && !(tlsCertificate && tlsKey))
    return giveUp("SANTRAL_SIP_TLS needs SANTRAL_TLS_CERTIFICATE and SANTRAL_TLS_KEY", "usage");
  const [certFile, keyFile] = [tlsCertificate ?? "", tlsKey ?? ""];
  return {
    certFile,
    read: async () => ({
      default: { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") },
    }),
  };
}

type Watching = Secure & { transports: readonly TlsTransport[]; clock: Clock; log: Log };

/** A renewed certificate is taken up without a restart; one that is broken is reported and the old one stays. */
function watch({ transports, certFile, read, clock, log }: Watching): Cancel {
  let seen = stat(certFile).catch(() => undefined);
  const look = async () => {
    cancel = clock.after(CERTIFICATE_LOOK_MS, () => void look());
    try {
      const found = await stat(certFile);
      if (found.mtimeMs === (await seen)?.mtimeMs) return;
      seen = Promise.resolve(found);
      const renewed = await read();
      for (const transport of transports) transport.reload(renewed);
      log.info({ certificate: certFile }, "the renewed certificate is in use");
    } catch (error) {
      log.error({ certificate: certFile, error: String(error) }, "the certificate could not be read again");
    }
  };
  let cancel = clock.after(CERTIFICATE_LOOK_MS, () => void look());
  return () => cancel();
}

const addressOf = ({ sentBy: { host, port } }: Transport): string => `${host}:${port}`;

async function orGiveUp<Door>({ host, port }: ListenAt, variable: string, open: () => Promise<Door>): Promise<Door> {
  try {
    return await open();
  } catch (error) {
    const why = whyNot[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (!why) throw error;
    return giveUp(`${bracketed(host)}:${port} ${why}: set ${variable} to another host:port`, "inUse");
  }
}

const whyNot: Partial<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may only be opened by root",
  EADDRNOTAVAIL: "is not an address of this machine",
  EINVAL: "is not an address of this machine",
  ENOTFOUND: "is not a known host",
};
