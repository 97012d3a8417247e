// The streams of one transport, TCP or TLS alike: framed, counted, limited, and found again by name or address.

import type { Socket } from "node:net";
import { asWritten } from "../../addresses.ts";
import type { Clock } from "../../clock.ts";
import type { Octets } from "../message/message.ts";
import { Connection, type StreamLimits } from "./connection.ts";
import { Crowd } from "./crowd.ts";
import { HANDSHAKES, STRANGERS } from "./stranger.ts";
import { StreamCount } from "./stream-count.ts";
import type { Destination, Receiver, Refused, Sender, Source, TransportName } from "./transport.ts";

export type ConnectionsOptions = {
  name: TransportName;
  listener: string;
  clock: Clock;
  limits: StreamLimits;
  connect(destination: Destination): Socket;
};

/** In the middle of its handshake. */
type Greeted = { raw: Socket; source: Source };

export class Connections {
  readonly options: ConnectionsOptions;
  readonly #byName = new Map<string, Connection>();
  /** Those we opened, by where to. */
  readonly #byAddress = new Map<string, Connection>();
  readonly #places = new WeakMap<Connection, string>();
  readonly #count: StreamCount;
  /** Nobody has logged in over these; nor has anybody else from there, of the second. */
  readonly #strangers = new Crowd<Connection>();
  readonly #strange = new Crowd<Connection>();
  /** In the middle of their handshake, by where from. */
  readonly #greeted = new Map<string, { isOver(): void }>();
  readonly #handshakes = new Crowd<Greeted>();
  /** Those of them from where nobody has logged in. */
  readonly #strangeHandshakes = new Crowd<Greeted>();
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
    const greeted = { raw, source };
    const cancel = this.options.clock.after(withinMs, () => raw.destroy());
    const isOver = () => {
      if (!this.#handshakes.delete(greeted)) return;
      this.#strangeHandshakes.delete(greeted);
      this.#greeted.delete(comesFrom(raw));
      cancel();
      this.#count.remove(source.address);
    };
    this.#greeted.set(comesFrom(raw), { isOver });
    this.#handshakes.add(greeted, source.address);
    this.#count.add(source.address);
    raw.once("close", () => {
      if (this.#handshakes.has(greeted)) this.receiver?.refused("handshake", source);
      isOver();
    });
    if (this.receiver?.isProved?.(source)) return;
    this.#strangeHandshakes.add(greeted, source.address);
    this.#boundHandshakes(source);
  }

  accept(socket: Socket): void {
    this.#greeted.get(comesFrom(socket))?.isOver();
    const source = this.#sourceOf(socket);
    if (!this.#mayStay(socket, source)) return;
    const connection = new Connection(this, socket, source);
    this.#add(connection);
    this.#strangers.add(connection, source.address);
    if (this.receiver?.isProved?.(source)) return;
    this.#strange.add(connection, source.address);
    if (this.#areTooMany()) this.#dropStranger(this.#strange);
  }

  #areTooMany(): boolean {
    return (
      this.#strange.size + this.#strangeHandshakes.size > Math.ceil(this.options.limits.connections * STRANGERS.share)
    );
  }

  /** Whoever comes from where somebody has logged in finds a place, however many begin what they never end. */
  #boundHandshakes({ address }: Source): void {
    const { connections, connectionsPerSource } = this.options.limits;
    const [all, some] = [connections * HANDSHAKES.share, connectionsPerSource * HANDSHAKES.shareOfSource].map(
      Math.ceil,
    );
    if (this.#strangeHandshakes.sizeFrom(address) > some!) this.#dropHandshake(this.#strangeHandshakes, address);
    else if (this.#strangeHandshakes.size > all!) this.#dropHandshake(this.#strangeHandshakes);
    else if (this.#areTooMany()) this.#dropStranger(this.#strange);
  }

  /** There is always room for one more to log in, and those who have are not pushed out. `address`: of those from there. */
  #dropStranger(among: Crowd<Connection>, address?: string): boolean {
    const oldest = among.oldest(address);
    if (!oldest) return false;
    this.receiver?.refused(refusalOf(address), oldest.source);
    this.letIn(oldest);
    oldest.destroy();
    return true;
  }

  #dropHandshake(among: Crowd<Greeted>, address?: string): boolean {
    const oldest = among.oldest(address);
    if (!oldest) return false;
    this.receiver?.refused(refusalOf(address), oldest.source);
    this.#greeted.get(comesFrom(oldest.raw))?.isOver();
    oldest.raw.destroy();
    return true;
  }

  #mayStay(socket: Socket, source: Source): boolean {
    // First, so that whoever is ignored pushes nobody out.
    if (this.receiver && this.receiver.guard(source) !== "drop" && this.#hasRoomFor(source)) return true;
    socket.on("error", () => {});
    socket.destroy();
    return false;
  }

  /** Who has not ended his handshake, and then who has not logged in, makes room for the next one who may. */
  #hasRoomFor(source: Source): boolean {
    const { address } = source;
    const refusal = this.#count.refusalFor(address);
    if (!refusal) return true;
    const isMade =
      refusal === "too-many-from-source"
        ? this.#dropHandshake(this.#handshakes, address) || this.#dropStranger(this.#strangers, address)
        : this.#dropHandshake(this.#strangeHandshakes) ||
          this.#dropStranger(this.#strange) ||
          this.#dropStranger(this.#strangers) ||
          this.#dropHandshake(this.#handshakes);
    if (!isMade) this.receiver?.refused(refusal, source);
    return isMade;
  }

  send(octets: Octets, destination: Destination, sender?: Sender): void {
    const known = destination.connection === undefined ? undefined : this.#byName.get(destination.connection);
    (known ?? this.#byAddress.get(this.#placeOf(destination)) ?? this.#open(destination)).write(octets, sender);
  }

  close(): void {
    for (const connection of this.#byName.values()) connection.destroy();
    for (const { raw } of this.#handshakes) raw.destroy();
  }

  letIn(connection: Connection): void {
    this.#strangers.delete(connection);
    this.#strange.delete(connection);
  }

  forget(connection: Connection): void {
    this.letIn(connection);
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

const refusalOf = (address: string | undefined): Refused =>
  address === undefined ? "too-many-connections" : "too-many-from-source";

const comesFrom = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
