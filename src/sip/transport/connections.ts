// The streams of one transport, TCP or TLS alike: framed, counted, limited, and found again by name or address.

import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Clock } from "../../clock.ts";
import type { Octets } from "../message.ts";
import { Connection } from "./connection.ts";
import type { Destination, Receiver, Refused, Sender, Source, TransportName } from "./transport.ts";

export type StreamLimits = {
  connections: number;
  connectionsPerSource: number;
  /** Octets of one message. */
  message: number;
  /** Octets we hold for a peer that does not read. */
  unsent: number;
  /** How long a message may take to arrive once it has begun, and a new stream to bring its first. */
  unfinishedMs: number;
  /** How long a stream that has brought messages may be silent. */
  idleMs: number;
  connectMs: number;
};

export const STREAM_LIMITS: StreamLimits = {
  connections: 10_000,
  connectionsPerSource: 500,
  message: 65_535,
  unsent: 1 << 20,
  unfinishedMs: 20_000,
  idleMs: 4_000_000, // Longer than an hour's registration, for phones that keep nothing alive.
  connectMs: 5_000,
};

export type ConnectionsOptions = {
  name: TransportName;
  listener: string;
  clock: Clock;
  limits: StreamLimits;
  connect(destination: Destination): Socket;
};

export class Connections {
  readonly options: ConnectionsOptions;
  readonly #byName = new Map<string, Connection>();
  /** Those we opened, by where to. */
  readonly #byAddress = new Map<string, Connection>();
  readonly #perSource = new Map<string, number>();
  // Bindings outlive a restart; a name that came round again would lead to somebody else's phone.
  readonly #salt = randomBytes(6).toString("hex");
  #opened = 0;
  receiver: Receiver | undefined;

  constructor(options: ConnectionsOptions) {
    this.options = options;
  }

  get size(): number {
    return this.#byName.size;
  }

  holds(name: string): boolean {
    return this.#byName.has(name);
  }

  accept(socket: Socket): void {
    const source = this.#sourceOf(socket);
    const { limits } = this.options;
    const refusal: Refused | undefined =
      this.size >= limits.connections
        ? "too-many-connections"
        : (this.#perSource.get(source.address) ?? 0) >= limits.connectionsPerSource
          ? "too-many-from-source"
          : undefined;
    if (refusal) this.receiver?.refused(refusal, source);
    if (refusal || !this.receiver || this.receiver.guard(source) === "drop") {
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    this.#add(new Connection(this, socket, source));
  }

  send(octets: Octets, destination: Destination, sender?: Sender): void {
    const known = destination.connection === undefined ? undefined : this.#byName.get(destination.connection);
    (known ?? this.#byAddress.get(placeOf(destination)) ?? this.#open(destination)).write(octets, sender);
  }

  close(): void {
    for (const connection of this.#byName.values()) connection.destroy();
  }

  forget(connection: Connection): void {
    const { connection: name = "", address } = connection.source;
    if (!this.#byName.delete(name)) return;
    const place = placeOf(connection.source);
    if (this.#byAddress.get(place) === connection) this.#byAddress.delete(place);
    const others = (this.#perSource.get(address) ?? 1) - 1;
    if (others > 0) this.#perSource.set(address, others);
    else this.#perSource.delete(address);
  }

  #open(destination: Destination): Connection {
    const { address, port } = destination;
    const socket = this.options.connect(destination);
    const { name, listener } = this.options;
    const source: Source = { transport: name, address, port, listener, connection: this.#nextName() };
    const connection = new Connection(this, socket, source);
    this.#add(connection);
    this.#byAddress.set(placeOf(destination), connection);
    connection.expectConnect(name === "tls" ? "secureConnect" : "connect");
    return connection;
  }

  #add(connection: Connection) {
    const { connection: name = "", address } = connection.source;
    this.#byName.set(name, connection);
    this.#perSource.set(address, (this.#perSource.get(address) ?? 0) + 1);
  }

  #sourceOf(socket: Socket): Source {
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "").replace(/%.*$/, "");
    const { name, listener } = this.options;
    return { transport: name, address, port: socket.remotePort ?? 0, listener, connection: this.#nextName() };
  }

  #nextName(): string {
    this.#opened += 1;
    return `${this.options.name}-${this.#salt}-${this.#opened}`;
  }
}

const placeOf = ({ address, port }: { address: string; port: number }) => `${address} ${port}`;
