// SIP over TLS: a certificate for each name we are called by, changed without a caller noticing.

import { connect, createSecureContext, createServer, type SecureContext } from "node:tls";
import { openStreams, type StreamOptions } from "./stream-transport.ts";
import type { Transport } from "./transport.ts";

/** PEM texts. */
export type Certificate = { key: string; cert: string };

export type Certificates = {
  /** For whoever names no server, or one we have no certificate for. */
  default: Certificate;
  /** By server name, in lower case. */
  byName?: Readonly<Record<string, Certificate>>;
};

export type TlsOptions = StreamOptions & {
  certificates: Certificates;
  /** Authorities that outgoing connections trust, PEM; the system's when unset. */
  trusted?: readonly string[];
  /** Whether a server we call must prove its name. */
  verify?: boolean;
};

export type TlsTransport = Transport & {
  /** For connections from now on; those that are up stay up. Throws on a certificate that is none, changing nothing. */
  reload(certificates: Certificates): void;
};

const HANDSHAKE_MS = 10_000;

export async function openTls(options: TlsOptions): Promise<TlsTransport> {
  const { trusted, verify = true } = options;
  let names = contextsOf(options.certificates);
  const server = createServer({
    ...options.certificates.default,
    minVersion: "TLSv1.2",
    handshakeTimeout: 2 * HANDSHAKE_MS, // never reached: our own clock comes first
    SNICallback: (name, found) => found(null, names.get(name.toLowerCase())),
  });
  const { connections, transport } = await openStreams(options, {
    name: "tls",
    server,
    connect: ({ address, port, serverName, trust }) => {
      const ca = trust?.authorities === undefined ? trusted && [...trusted] : trust.authorities;
      return connect({
        host: address,
        port,
        ...(serverName !== undefined && { servername: serverName }),
        ...(ca && { ca }),
        rejectUnauthorized: trust?.verify ?? verify,
      });
    },
  });
  server.on("connection", (raw) => connections.greet(raw, HANDSHAKE_MS));
  server.on("secureConnection", (socket) => connections.accept(socket));
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return {
    ...transport,
    reload(certificates) {
      names = contextsOf(certificates);
      server.setSecureContext(certificates.default);
    },
  };
}

function contextsOf({ byName = {} }: Certificates): Map<string, SecureContext> {
  return new Map(Object.entries(byName).map(([name, certificate]) => [name, createSecureContext(certificate)]));
}
