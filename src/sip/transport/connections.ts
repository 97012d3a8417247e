// The streams of one transport, TCP or TLS alike: framed, counted, limited, and found again by name or address.

import type { Socket } from "node:net";
import { asWritten } from "../../addresses.ts";
import type { Clock } from "../../clock.ts";
import type { Octets } from "../message/message.ts";
import { Connection, type StreamLimits } from "./connection.ts";
import { STRANGERS } from "./stranger.ts";
import { StreamCount } from "./stream-count.ts";
import type { Destination, Receiver, Sender, Source, TransportName } from "./transport.ts";

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
  readonly #places = new WeakMap<Connection, string>();
  readonly #count: StreamCount;
  /** Nobody has logged in over these; the oldest first. */
  readonly #strangers = new Set<Connection>();
  /** In the middle of their handshake, by where from. */
  readonly #greeted = new Map<string, { raw: Socket; isOver(): void }>();
  receiver: Receiver | undefined;

  constructor(options: ConnectionsOptions) {
    this.options = options;
    this.#count = new StreamCount(options.name, options.limits);
  }

  get size(): number {
    return this.#byName.size + this.#greeted.size;
  }

  holds(name: string): boolean {
    return this.#byName.has(name);
  }

  /** It counts from its first packet on, and has so long for its handshake; then it is accepted, or gone. */
  greet(raw: Socket, withinMs: number): void {
    const source = this.#sourceOf(raw);
    if (!this.#mayStay(raw, source)) return;
    const key = comesFrom(raw);
    const cancel = this.options.clock.after(withinMs, () => raw.destroy());
    const isOver = () => {
      if (!this.#greeted.delete(key)) return;
      cancel();
      this.#count.remove(source.address);
    };
    this.#greeted.set(key, { raw, isOver });
    this.#count.add(source.address);
    raw.once("close", () => {
      if (this.#greeted.has(key)) this.receiver?.refused("handshake", source);
      isOver();
    });
  }

  accept(socket: Socket): void {
    this.#greeted.get(comesFrom(socket))?.isOver();
    const source = this.#sourceOf(socket);
    if (!this.#mayStay(socket, source)) return;
    const connection = new Connection(this, socket, source);
    this.#add(connection);
    this.#strangers.add(connection);
    if (this.#strangers.size > Math.ceil(this.options.limits.connections * STRANGERS.share)) this.#dropOldest();
  }

  /** There is always room for one more to log in, and those who have are not pushed out. */
  #dropOldest(): boolean {
    for (const oldest of this.#strangers) {
      this.receiver?.refused("too-many-connections", oldest.source);
      this.#strangers.delete(oldest);
      oldest.destroy();
      return true;
    }
    return false;
  }

  #mayStay(socket: Socket, source: Source): boolean {
    const found = this.#count.refusalFor(source.address);
    // Who has not logged in makes room for the next one who may.
    const refusal = found === "too-many-connections" && this.#dropOldest() ? undefined : found;
    if (refusal) this.receiver?.refused(refusal, source);
    if (!refusal && this.receiver && this.receiver.guard(source) !== "drop") return true;
    socket.on("error", () => {});
    socket.destroy();
    return false;
  }

  send(octets: Octets, destination: Destination, sender?: Sender): void {
    const known = destination.connection === undefined ? undefined : this.#byName.get(destination.connection);
    (known ?? this.#byAddress.get(this.#placeOf(destination)) ?? this.#open(destination)).write(octets, sender);
  }

  close(): void {
    for (const connection of this.#byName.values()) connection.destroy();
    for (const { raw } of this.#greeted.values()) raw.destroy();
  }

  letIn(connection: Connection): void {
    this.#strangers.delete(connection);
  }

  forget(connection: Connection): void {
    this.#strangers.delete(connection);
    const { connection: name = "", address } = connection.source;
    if (!this.#byName.delete(name)) return;
    const place = this.#places.get(connection);
    if (place !== undefined && this.#byAddress.get(place) === connection) this.#byAddress.delete(place);
    this.#count.remove(address);
    this.receiver?.gone?.(name);
  }

  #open(destination: Destination): Connection {
    const { address, port } = destination;
    const socket = this.options.connect(destination);
    const { name, listener } = this.options;
    const source: Source = { transport: name, address, port, listener, connection: this.#count.nextName() };
    const connection = new Connection(this, socket, source);
    this.#add(connection);
    const place = this.#placeOf(destination);
    this.#byAddress.set(place, connection);
    this.#places.set(connection, place);
    connection.expectConnect(name === "tls" ? "secureConnect" : "connect");
    return connection;
  }

  /** What one has proved to be under one name counts for no other, nor for whoever asks for more proof. */
  #placeOf({ address, port, serverName = "", trust }: Destination): string {
    const place = `${address} ${port}`;
    if (this.options.name !== "tls") return place;
    return `${place} ${serverName} ${trust ? `${trust.verify} ${trust.authorities ?? ""}` : ""}`;
  }

  #add(connection: Connection) {
    const { connection: name = "", address } = connection.source;
    this.#byName.set(name, connection);
    this.#count.add(address);
  }

  #sourceOf(socket: Socket): Source {
    const address = asWritten(socket.remoteAddress ?? "");
    const { name, listener } = this.options;
    return { transport: name, address, port: socket.remotePort ?? 0, listener, connection: this.#count.nextName() };
  }
}

const comesFrom = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
