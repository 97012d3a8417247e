// The wire where libc cannot be called: node:dgram inside the same media thread, dearer but equal in what it does.

import { createSocket, type Socket } from "node:dgram";
import { performance } from "node:perf_hooks";
import {
  type Address,
  type Ip,
  isSix,
  PACKET_BYTES,
  parseIp,
  printIp,
  type SocketHandle,
  type Traffic,
  type Wire,
} from "./wire.ts";

type Opened = { socket: Socket; port: number };

export class DgramWire implements Wire {
  readonly packet = Buffer.alloc(PACKET_BYTES);
  readonly wakeFd = -1;
  readonly leaves = [];
  fromIp: Ip = 0;
  fromPort = 0;
  readonly stampMs = 0;
  readonly #sockets = new Map<SocketHandle, Opened>();
  #lastHandle = 0;
  #traffic: Traffic | undefined;
  #timer: NodeJS.Timeout | undefined;

  bind(ip: Ip, port: number): SocketHandle | undefined {
    const socket = createSocket({ type: isSix(ip) ? "udp6" : "udp4", ipv6Only: isSix(ip), lookup: inDigits });
    let failed = false;
    socket.on("error", () => {
      failed = true;
    });
    // With a lookup that answers at once, binding is over when bind() returns.
    socket.bind({ address: printIp(ip), port, exclusive: true });
    const bound = boundPort(socket);
    if (failed || bound === undefined) {
      socket.close();
      return undefined;
    }
    const handle = ++this.#lastHandle;
    this.#sockets.set(handle, { socket, port: bound });
    socket.on("message", (message, from) => this.#take(handle, message, from));
    return handle;
  }

  portOf(socket: SocketHandle): number {
    return this.#sockets.get(socket)?.port ?? 0;
  }

  send(socket: SocketHandle, bytes: Uint8Array, length: number, to: Address): void {
    // Sending is asynchronous here, and the caller's buffer is about to be used again.
    const copy = Buffer.from(bytes.subarray(0, length));
    to.text ??= printIp(to.ip);
    this.#sockets.get(socket)?.socket.send(copy, 0, length, to.port, to.text);
  }

  close(socket: SocketHandle): void {
    this.#sockets.get(socket)?.socket.close();
    this.#sockets.delete(socket);
  }

  release(): void {
    throw new Error("a node:dgram socket cannot move: run one media thread");
  }

  adopt(): void {
    this.release();
  }

  /** Here every datagram is an event of its own. */
  setPatient(): void {}

  collect(): void {}

  /** Datagrams arrive by events here, and events wait for the end of the turn. */
  drain(): number {
    return 0;
  }

  serve(traffic: Traffic): void {
    this.#traffic = traffic;
    this.turn();
  }

  /** Called by the timer, and by whoever received a command. */
  turn(): void {
    const traffic = this.#traffic;
    if (!traffic) return;
    clearTimeout(this.#timer);
    if (traffic.takeCommands()) this.#timer = setTimeout(() => this.turn(), Math.ceil(traffic.turn(performance.now())));
    else this.#stop();
  }

  #stop(): void {
    this.#traffic = undefined;
    for (const { socket } of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #take(handle: SocketHandle, message: Buffer, from: { address: string; port: number }): void {
    const ip = parseIp(from.address);
    if (ip === undefined || message.length > PACKET_BYTES) return;
    message.copy(this.packet);
    this.fromIp = ip;
    this.fromPort = from.port;
    this.#traffic?.woke(performance.now());
    this.#traffic?.arrived(handle, message.length);
  }
}

/** Addresses are always in digits here; asking the resolver would only put the binding off. */
function inDigits(
  host: string,
  _options: unknown,
  found: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void {
  found(null, host, host.includes(":") ? 6 : 4);
}

function boundPort(socket: Socket): number | undefined {
  try {
    return socket.address().port;
  } catch {
    return undefined;
  }
}
