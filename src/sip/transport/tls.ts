// SIP over TLS: a certificate for each name we are called by, changed without a caller noticing.

import { connect, createSecureContext, createServer, type SecureContext, type Server } from "node:tls";
import type { Clock } from "../../clock.ts";
import { Connections, STREAM_LIMITS, type StreamLimits } from "./connections.ts";
import { bracketed, familyOf } from "./listen-address.ts";
import { listening, stopped } from "./stream-server.ts";
import type { Transport } from "./transport.ts";

/** PEM texts. */
export type Certificate = { key: string; cert: string };

export type Certificates = {
  /** For whoever names no server, or one we have no certificate for. */
  default: Certificate;
  /** By server name, in lower case. */
  byName?: Readonly<Record<string, Certificate>>;
};

export type TlsOptions = {
  clock: Clock;
  address: string;
  /** 0 for any free port. */
  port: number;
  certificates: Certificates;
  /** Authorities that outgoing connections trust, PEM; the system's when unset. */
  trusted?: readonly string[];
  /** Whether a server we call must prove its name. */
  verify?: boolean;
  advertise?: { host: string; port?: number };
  limits?: Partial<StreamLimits>;
};

export type TlsTransport = Transport & {
  /** For connections from now on; those that are up stay up. Throws on a certificate that is none, changing nothing. */
  reload(certificates: Certificates): void;
};

const HANDSHAKE_MS = 10_000;

export async function openTls(options: TlsOptions): Promise<TlsTransport> {
  const { clock, address, port, advertise, limits, trusted, verify = true } = options;
  let names = contextsOf(options.certificates);
  const server: Server = createServer({
    ...options.certificates.default,
    minVersion: "TLSv1.2",
    handshakeTimeout: HANDSHAKE_MS,
    SNICallback: (name, found) => found(null, names.get(name.toLowerCase())),
  });
  const here = await listening(server, address, port);
  const listener = `tls ${address}:${here}`;
  const connections = new Connections({
    name: "tls",
    listener,
    clock,
    limits: { ...STREAM_LIMITS, ...limits },
    connect: ({ address: host, port, serverName }) =>
      connect({
        host,
        port,
        ...(serverName !== undefined && { servername: serverName }),
        ...(trusted && { ca: [...trusted] }),
        rejectUnauthorized: verify,
      }),
  });
  server.on("secureConnection", (socket) => connections.accept(socket));
  server.on("tlsClientError", (_error, socket) => {
    const source = {
      transport: "tls",
      address: socket.remoteAddress ?? "",
      port: socket.remotePort ?? 0,
      listener,
    } as const;
    connections.receiver?.refused("handshake", source);
    socket.destroy();
  });
  return {
    name: "tls",
    reliable: true,
    family: familyOf(address),
    listener,
    sentBy: { host: advertise?.host ?? bracketed(address), port: advertise?.port ?? here },
    start(receiver) {
      connections.receiver = receiver;
    },
    send: (octets, destination, sender) => connections.send(octets, destination, sender),
    holds: (connection) => connections.holds(connection),
    connections: () => connections.size,
    reload(certificates) {
      names = contextsOf(certificates);
      server.setSecureContext(certificates.default);
    },
    close() {
      connections.close();
      return stopped(server);
    },
  };
}

function contextsOf({ byName = {} }: Certificates): Map<string, SecureContext> {
  return new Map(Object.entries(byName).map(([name, certificate]) => [name, createSecureContext(certificate)]));
}
