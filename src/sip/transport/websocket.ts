// SIP over WebSocket (RFC 7118), on an HTTP server that is already there: how browsers telephone.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { asWritten } from "../../addresses.ts";
import type { Cancel, Clock } from "../../clock.ts";
import type { Octets } from "../message/message.ts";
import { Crowd } from "./crowd.ts";
import { letsIn, STRANGERS } from "./stranger.ts";
import { type CountLimits, StreamCount } from "./stream-count.ts";
import type { Destination, DoorReach, Receiver, Refused, Sender, Source, Transport } from "./transport.ts";

export type WebSocketLimits = CountLimits & {
  message: number;
  /** Octets we hold for a browser that does not read. */
  unsent: number;
  /** A browser is asked for a sign of life this often, and gone when it gave none since the last time. */
  pingMs: number;
  /** How long one over which nobody has logged in may bring no message; keep-alives are none. */
  strangerMs: number;
};

const WEBSOCKET_LIMITS: WebSocketLimits = {
  connections: 10_000,
  connectionsPerSource: 500,
  message: 131_072, // more than a message may have: whoever sends a little too much is told so by a 513
  unsent: 1 << 20,
  pingMs: 30_000,
  strangerMs: STRANGERS.idleMs,
};

export type WebSocketOptions = {
  clock: Clock;
  /** Behind TLS, ours or a proxy's. */
  secure: boolean;
  /** What Via and Contact say; no browser ever connects to it. */
  sentBy: { host: string; port: number };
  reach?: Pick<DoorReach, "toldTo"> | undefined;
  /** The browser's address when a proxy stands before us. */
  addressOf?(request: IncomingMessage): string | undefined;
  limits?: Partial<WebSocketLimits>;
};

export type WebSocketTransport = Transport & {
  /** Takes an upgrade of the HTTP server; false when it is not for us. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
};

/** A browser sends a message in one piece; each of many small ones would be held with more memory than it has octets. */
const MOST_FRAGMENTS = 64;
const PATHS = new Set(["/ws", "/"]);
const PING = "\r\n\r\n";
const PONG = "\r\n";
const SAYS_SIP = /^(SIP\/2\.0 |[^\r\n]+ SIP\/2\.0\r?\n)/i;
/** RFC 6455, section 7.4.1: it may not be here, however often it comes. */
const POLICY_VIOLATION = 1_008;

export function openWebSocket(options: WebSocketOptions): WebSocketTransport {
  const browsers = new Browsers(options);
  const { secure, sentBy, reach } = options;
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => browsers.upgrade(request, socket, head);
  return {
    name: secure ? "wss" : "ws",
    reliable: true,
    family: 4,
    listener: browsers.listener,
    sentBy,
    ...reach,
    upgrade,
    start(receiver) {
      browsers.receiver = receiver;
    },
    send: (octets, destination, sender) => browsers.send(octets, destination, sender),
    holds: (connection) => browsers.holds(connection),
    drop: (connection) => browsers.drop(connection),
    connections: () => browsers.size,
    close: () => browsers.close(),
  };
}

class Browsers {
  readonly listener: string;
  receiver: Receiver | undefined;
  readonly #options: WebSocketOptions;
  readonly #limits: WebSocketLimits;
  readonly #server: WebSocketServer;
  readonly #sockets = new Map<string, WebSocket>();
  readonly #count: StreamCount;
  /** Browsers in which nobody has logged in, each with what lets it in. */
  readonly #strangers = new Map<string, { letGo(): void; source: Source }>();
  readonly #crowd = new Crowd<string>();
  /** Those of them from where nobody else has either. */
  readonly #strange = new Crowd<string>();

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#limits = { ...WEBSOCKET_LIMITS, ...options.limits };
    this.#count = new StreamCount("ws", this.#limits);
    this.listener = `${options.secure ? "wss" : "ws"} ${options.sentBy.host}:${options.sentBy.port}`;
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: this.#limits.message,
      maxFragments: MOST_FRAGMENTS,
      handleProtocols: () => "sip",
    });
  }

  get size(): number {
    return this.#sockets.size;
  }

  holds(connection: string): boolean {
    return this.#sockets.has(connection);
  }

  drop(connection: string): void {
    this.#sockets.get(connection)?.close(POLICY_VIOLATION);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const path = (request.url ?? "/").split("?")[0]!;
    const protocols = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((word) => word.trim());
    if (!PATHS.has(path) || !protocols.includes("sip")) return false;
    const source = this.#sourceOf(request);
    // The guard first, so that whoever is ignored pushes nobody out.
    const mayStay = this.receiver && this.receiver.guard(source) !== "drop" && this.#hasRoomFor(source);
    if (!mayStay) socket.destroy();
    else this.#server.handleUpgrade(request, socket, head, (open) => this.#add(open, source));
    return true;
  }

  /** Who has not logged in makes room for the next one who may. */
  #hasRoomFor(source: Source): boolean {
    const refusal = this.#count.refusalFor(source.address);
    if (!refusal) return true;
    const isMade =
      refusal === "too-many-from-source"
        ? this.#drop(this.#crowd.oldest(source.address), refusal)
        : this.#drop(this.#strange.oldest() ?? this.#crowd.oldest(), refusal);
    if (!isMade) this.receiver?.refused(refusal, source);
    return isMade;
  }

  send(octets: Octets, { connection }: Destination, sender?: Sender): void {
    const socket = connection === undefined ? undefined : this.#sockets.get(connection);
    if (!socket) {
      process.nextTick(() => sender?.failed("the browser is gone"));
      return;
    }
    if (letsIn(octets)) this.#strangers.get(connection ?? "")?.letGo();
    // Octets in a text frame: what is UTF-8 stays UTF-8.
    socket.send(Buffer.from(octets, "latin1"), { binary: false }, (error) => {
      if (error) sender?.failed(error.message);
    });
    this.#hangUpOnDeaf(socket);
  }

  /** Whoever asks for answers and does not read them. */
  #hangUpOnDeaf(socket: WebSocket): void {
    if (socket.bufferedAmount > this.#limits.unsent) socket.terminate();
  }

  close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.terminate();
    return new Promise((closed) => this.#server.close(() => closed()));
  }

  #add(socket: WebSocket, source: Source) {
    const { connection = "", address } = source;
    this.#sockets.set(connection, socket);
    this.#count.add(address);
    const stopPinging = this.#keepAlive(socket);
    const stranger = this.#watchStranger(socket, source);
    socket.on("message", (frame: Buffer) => {
      const octets = frame.toString("latin1");
      if (SAYS_SIP.test(octets)) stranger.spoke();
      this.#read(octets, socket, source);
    });
    socket.on("ping", () => this.#hangUpOnDeaf(socket)); // it has been answered
    socket.on("error", () => this.receiver?.refused("bad-stream", source));
    socket.on("close", () => {
      stopPinging();
      stranger.isGone();
      this.#forget(source);
    });
  }

  /** Closed where no message comes for so long; of very many the oldest at once, so that there is room to log in. */
  #watchStranger(socket: WebSocket, source: Source): { spoke(): void; isGone(): void } {
    const { connection = "", address } = source;
    const { clock } = this.#options;
    let isOver = false;
    let hasSpoken = false;
    const refuse = () => {
      if (hasSpoken && this.receiver?.knows?.(source)) return isGone();
      this.receiver?.refused("unfinished-message", source);
      socket.close(POLICY_VIOLATION);
    };
    let cancel = clock.after(this.#limits.strangerMs, refuse);
    const isGone = () => {
      isOver = true;
      cancel();
      this.#strangers.delete(connection);
      this.#crowd.delete(connection);
      this.#strange.delete(connection);
    };
    this.#strangers.set(connection, { letGo: isGone, source });
    this.#crowd.add(connection, address);
    if (!this.receiver?.isProved?.(source)) this.#strange.add(connection, address);
    if (this.#strange.size > Math.ceil(this.#limits.connections * STRANGERS.share))
      this.#drop(this.#strange.oldest(), "too-many-connections");
    const spoke = () => {
      hasSpoken = true;
      cancel();
      if (!isOver) cancel = clock.after(this.#limits.strangerMs, refuse);
    };
    return { spoke, isGone };
  }

  #drop(connection = "", refusal: Refused): boolean {
    const stranger = this.#strangers.get(connection);
    if (!stranger) return false;
    this.receiver?.refused(refusal, stranger.source);
    stranger.letGo();
    this.#sockets.get(connection)?.terminate(); // its place is wanted now, whether or not it says goodbye
    return true;
  }

  #forget({ connection = "", address }: Source) {
    this.#sockets.delete(connection);
    this.#count.remove(address);
    this.receiver?.gone?.(connection);
  }

  #read(octets: Octets, socket: WebSocket, source: Source) {
    if (octets !== PING) return this.receiver?.receive(octets, source);
    socket.send(PONG);
    this.#hangUpOnDeaf(socket);
  }

  #keepAlive(socket: WebSocket): Cancel {
    let isAlive = true;
    let cancel = this.#options.clock.after(this.#limits.pingMs, check.bind(this));
    socket.on("pong", () => {
      isAlive = true;
    });
    return () => cancel();

    function check(this: Browsers) {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      cancel = this.#options.clock.after(this.#limits.pingMs, check.bind(this));
    }
  }

  #sourceOf(request: IncomingMessage): Source {
    const { secure, addressOf } = this.#options;
    const peer = addressOf?.(request) ?? request.socket.remoteAddress ?? "";
    return {
      transport: secure ? "wss" : "ws",
      address: asWritten(peer),
      port: request.socket.remotePort ?? 0,
      connection: this.#count.nextName(),
      listener: this.listener,
    };
  }
}
