// The SIP listeners of a server, as the settings want them: UDP and TCP at one port, TLS beside, WebSocket on HTTP.

import { readFile, stat } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { isUnspecified } from "../addresses.ts";
import type { Cancel, Clock } from "../clock.ts";
import type { Config, ListenAt } from "../config.ts";
import { clientAddressBehind } from "../http/door/client-address.ts";
import type { Log } from "../log.ts";
import { openTcp } from "../sip/transport/tcp.ts";
import { openTls, type TlsTransport } from "../sip/transport/tls.ts";
import type { Transport } from "../sip/transport/transport.ts";
import { openUdp } from "../sip/transport/udp.ts";
import { openWebSocket, type WebSocketTransport } from "../sip/transport/websocket.ts";
import { giveUp } from "./give-up.ts";

export type SipDoors = {
  transports: Transport[];
  /** To be attached to the HTTP server. */
  webSocket: WebSocketTransport;
  /** host:port of UDP and TCP, and of TLS where there is one. */
  address: string;
  tlsAddress: string | undefined;
  /** Stops watching certificates; whoever took the transports closes those. */
  close(): Promise<void>;
};

export type SipDoorsNeeds = { config: Config; clock: Clock; log: Log };

const PORT_ATTEMPTS = 20;
const CERTIFICATE_LOOK_MS = 60_000;

export async function openSipDoors({ config, clock, log }: SipDoorsNeeds): Promise<SipDoors> {
  const advertise = advertisedBy(config);
  const plain = await orGiveUp(config.sip, "SANTRAL_SIP", () => openPair(config.sip, { clock, advertise }));
  const tls = config.sipTls && (await openSecure(config, config.sipTls, { clock, log, advertise }));
  const { host } = plain[0].sentBy;
  const clientAddress = clientAddressBehind(config.trustedProxies);
  const webSocket = openWebSocket({
    clock,
    secure: config.publicUrl?.startsWith("https:") ?? false,
    sentBy: { host, port: plain[0].sentBy.port },
    addressOf: ({ socket, headers }) => clientAddress(socket.remoteAddress, headers["x-forwarded-for"]),
  });
  return {
    transports: [...plain, ...(tls ? [tls.transport] : []), webSocket],
    webSocket,
    address: addressOf(config.sip, plain[0]),
    tlsAddress: tls && config.sipTls && addressOf(config.sipTls, tls.transport),
    close: async () => tls?.stopWatching(),
  };
}

type Surroundings = { clock: Clock; advertise: { host: string } | undefined };

/** UDP and TCP share a port: when any free one will do, the first that is free for both. */
async function openPair({ host, port }: ListenAt, { clock, advertise }: Surroundings): Promise<[Transport, Transport]> {
  for (let attempt = 1; ; attempt++) {
    const udp = await openUdp({ address: host, port, ...(advertise && { advertise }) });
    try {
      const here = portOf(udp);
      return [udp, await openTcp({ clock, address: host, port: here, ...(advertise && { advertise }) })];
    } catch (error) {
      await udp.close();
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function openSecure(config: Config, at: ListenAt, { clock, log, advertise }: Surroundings & { log: Log }) {
  const { tlsCertificate: certFile, tlsKey: keyFile } = config;
  if (!certFile || !keyFile)
    return giveUp("SANTRAL_SIP_TLS needs SANTRAL_TLS_CERTIFICATE and SANTRAL_TLS_KEY", "usage");
  const read = async () => ({
    default: { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") },
  });
  const transport = await orGiveUp(at, "SANTRAL_SIP_TLS", async () =>
    openTls({ clock, address: at.host, port: at.port, certificates: await read(), ...(advertise && { advertise }) }),
  );
  return { transport, stopWatching: watch({ transport, certFile, read, clock, log }) };
}

type Watching = {
  transport: TlsTransport;
  certFile: string;
  read(): Promise<Parameters<TlsTransport["reload"]>[0]>;
  clock: Clock;
  log: Log;
};

/** A renewed certificate is taken up without a restart; one that is broken is reported and the old one stays. */
function watch({ transport, certFile, read, clock, log }: Watching): Cancel {
  let seenMs = clock.now();
  const look = async () => {
    cancel = clock.after(CERTIFICATE_LOOK_MS, () => void look());
    try {
      const { mtimeMs } = await stat(certFile);
      if (mtimeMs <= seenMs) return;
      seenMs = mtimeMs;
      transport.reload(await read());
      log.info({ certificate: certFile }, "the renewed certificate is in use");
    } catch (error) {
      log.error({ certificate: certFile, error: String(error) }, "the certificate could not be read again");
    }
  };
  let cancel = clock.after(CERTIFICATE_LOOK_MS, () => void look());
  return () => cancel();
}

/** What Via and Contact say: the public address, or on every-address listeners the first that others could reach. */
function advertisedBy({ publicIp, sip }: Config): { host: string } | undefined {
  if (publicIp) return { host: publicIp.includes(":") ? `[${publicIp}]` : publicIp };
  if (!isUnspecified(sip.host)) return undefined;
  const family = sip.host.includes(":") ? "IPv6" : "IPv4";
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((it) => it.family === family && !it.internal && !it.address.startsWith("fe80"));
  if (!found) return { host: family === "IPv6" ? "[::1]" : "127.0.0.1" };
  return { host: family === "IPv6" ? `[${found.address}]` : found.address };
}

const portOf = ({ listener }: Transport): number => Number(listener.slice(listener.lastIndexOf(":") + 1));

const addressOf = ({ host }: ListenAt, transport: Transport) =>
  `${host.includes(":") ? `[${host}]` : host}:${portOf(transport)}`;

async function orGiveUp<Door>({ host, port }: ListenAt, variable: string, open: () => Promise<Door>): Promise<Door> {
  try {
    return await open();
  } catch (error) {
    const why = whyNot[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (!why) throw error;
    return giveUp(`${host}:${port} ${why}: set ${variable} to another host:port`, "inUse");
  }
}

const whyNot: Partial<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may only be opened by root",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not a known host",
};
