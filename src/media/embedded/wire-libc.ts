// The wire on Linux: epoll, recvfrom and sendto called directly, about three times cheaper than node:dgram.

import { performance } from "node:perf_hooks";
import type { Libc } from "../../libc.ts";
import {
  type Address,
  AF_INET,
  AF_INET6,
  IP6_OFFSET,
  type Ip,
  isSix,
  PACKET_BYTES,
  SOCKADDR6_BYTES,
  type SocketHandle,
  sockaddrBytes,
  type Traffic,
  type Wire,
  writeSockaddr,
} from "./wire.ts";
import { StampedReceive } from "./wire-stamped.ts";

/**
 * No descriptor of ours may reach a program that we start: it would keep the socket alive after we closed it, epoll would
 * go on telling of it, and the number that it tells would by then be somebody else's.
 */
const CLOEXEC = 0o2000000;
const SOCK_DGRAM_NONBLOCK = 2 | 0o4000 | CLOEXEC;
const EFD_NONBLOCK = 0o4000 | CLOEXEC;
const MSG_DONTWAIT = 0x40;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLLIN = 1;
const SOL_IP = 0;
const IP_TOS = 1;
/** Expedited forwarding (RFC 3246), which routers know as voice. */
const VOICE_TOS = Int32Array.of(0xb8);
const SOL_IPV6 = 41;
const IPV6_V6ONLY = 26;
const IPV6_TCLASS = 67;
const YES = Int32Array.of(1);
const EVENTS = 256;
const TURNS_BETWEEN_LOOKS = 32;
/** What takes longer to collect is a flood, which is not to keep everybody else waiting; but so many are always taken. */
const COLLECTION_MS = 4;
const LEAST_COLLECTIONS = 64;
/** struct epoll_event is packed on x86-64 only. */
const EVENT_BYTES = process.arch === "x64" ? 12 : 16;
const EVENT_FD_OFFSET = process.arch === "x64" ? 4 : 8;

export class LibcWire implements Wire {
  readonly packet = Buffer.alloc(PACKET_BYTES);
  readonly wakeFd: number;
  readonly leaves: readonly number[];
  fromIp: Ip = 0;
  fromPort = 0;
  stampMs = 0;
  readonly #libc: Libc;
  readonly #epoll: number;
  /** Holds the patient sockets, and is never waited for. */
  readonly #patience: number;
  readonly #patient = new Set<SocketHandle>();
  readonly #stamped: StampedReceive | undefined;
  readonly #events = Buffer.alloc(EVENT_BYTES * EVENTS);
  readonly #eventWords = new Int32Array(this.#events.buffer, this.#events.byteOffset, this.#events.length >> 2);
  readonly #from = Buffer.alloc(SOCKADDR6_BYTES);
  readonly #fromLength = Int32Array.of(SOCKADDR6_BYTES);
  readonly #counter = Buffer.alloc(8);
  // Filled anew for each call of the system: memory made for one call only would cost more than the call.
  readonly #own = Buffer.alloc(SOCKADDR6_BYTES);
  readonly #event = Buffer.alloc(16);
  #isWoken = true;
  #traffic: Traffic | undefined;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#epoll = libc.epoll_create1(CLOEXEC);
    this.#patience = libc.epoll_create1(CLOEXEC);
    this.wakeFd = libc.eventfd(0, EFD_NONBLOCK);
    if (this.#epoll < 0 || this.#patience < 0 || this.wakeFd < 0)
      throw new Error("no file descriptor left for a media thread");
    this.leaves = [this.wakeFd, this.#epoll, this.#patience];
    this.#stamped = StampedReceive.open(libc, this.packet, this.#from);
    this.#watch(this.wakeFd);
  }

  bind(ip: Ip, port: number): SocketHandle | undefined {
    const six = isSix(ip);
    const fd = this.#libc.socket(six ? AF_INET6 : AF_INET, SOCK_DGRAM_NONBLOCK, 0);
    if (fd < 0) return undefined;
    // The same port of the other family is another socket's.
    if (six) this.#libc.setsockopt(fd, SOL_IPV6, IPV6_V6ONLY, YES, 4);
    writeSockaddr(this.#own, ip, port);
    if (this.#libc.bind(fd, this.#own, sockaddrBytes(ip)) !== 0) {
      this.#libc.close(fd);
      return undefined;
    }
    if (six) this.#libc.setsockopt(fd, SOL_IPV6, IPV6_TCLASS, VOICE_TOS, 4);
    else this.#libc.setsockopt(fd, SOL_IP, IP_TOS, VOICE_TOS, 4);
    this.#watch(fd);
    return fd;
  }

  portOf(socket: SocketHandle): number {
    this.#libc.getsockname(socket, this.#own, Int32Array.of(SOCKADDR6_BYTES));
    return this.#own.readUInt16BE(2);
  }

  send(socket: SocketHandle, bytes: Uint8Array, length: number, to: Address): void {
    // A full buffer or an unreachable host loses this packet, as the network might have.
    this.#libc.sendto(socket, bytes, length, 0, to.sockaddr, to.sockaddr.length);
  }

  close(socket: SocketHandle): void {
    this.release(socket);
    this.#libc.close(socket);
  }

  release(socket: SocketHandle): void {
    const epoll = this.#patient.delete(socket) ? this.#patience : this.#epoll;
    this.#libc.epoll_ctl(epoll, EPOLL_CTL_DEL, socket, this.#event);
  }

  adopt(socket: SocketHandle): void {
    this.#watch(socket);
  }

  setPatient(socket: SocketHandle, isPatient: boolean): void {
    if (this.#patient.has(socket) === isPatient) return;
    this.release(socket);
    if (!isPatient) return this.#watch(socket);
    this.#stamped?.begin(socket);
    this.#watch(socket, this.#patience);
    this.#patient.add(socket);
  }

  collect(): void {
    if (this.#patient.size === 0) return;
    const until = performance.now() + COLLECTION_MS;
    for (let looks = 0; looks < LEAST_COLLECTIONS || performance.now() < until; looks++) {
      const count = this.#libc.epoll_wait(this.#patience, this.#events, EVENTS, 0);
      if (count <= 0) return;
      this.#receive(count, this.#stamped);
    }
  }

  drain(): number {
    const count = this.#libc.epoll_wait(this.#epoll, this.#events, EVENTS, 0);
    this.#receive(count);
    return count;
  }

  serve(traffic: Traffic): void {
    this.#traffic = traffic;
    let turns = 0;
    for (;;) {
      // Looking now and then without being woken is what lets Node stop this thread: a loop of bare calls cannot be ended.
      if (this.#isWoken || ++turns % TURNS_BETWEEN_LOOKS === 0) {
        this.#isWoken = false;
        if (!traffic.takeCommands()) break;
      }
      const waitMs = Math.ceil(traffic.turn(performance.now()));
      this.#receive(this.#libc.epoll_wait(this.#epoll, this.#events, EVENTS, waitMs));
    }
  }

  /** Hot: once per batch of datagrams, no allocation. */
  #receive(count: number, stamped?: StampedReceive): void {
    const from = this.#from;
    const traffic = this.#traffic;
    if (count <= 0 || !traffic) return;
    traffic.woke(performance.now());
    for (let i = 0; i < count; i++) {
      const fd = this.#eventWords[(i * EVENT_BYTES + EVENT_FD_OFFSET) >> 2]!;
      if (fd === this.wakeFd) {
        this.#libc.read(fd, this.#counter, 8);
        this.#isWoken = true;
        continue;
      }
      const length = stamped ? stamped.receive(fd) : this.#receiveFrom(fd);
      if (length < 0) continue;
      this.stampMs = stamped ? stamped.stampMs : 0;
      this.fromIp =
        from[0] === AF_INET6
          ? from.toString("latin1", IP6_OFFSET, IP6_OFFSET + 16)
          : ((from[4]! << 24) | (from[5]! << 16) | (from[6]! << 8) | from[7]!) >>> 0;
      this.fromPort = (from[2]! << 8) | from[3]!;
      traffic.arrived(fd, length);
    }
  }

  #receiveFrom(fd: number): number {
    this.#fromLength[0] = SOCKADDR6_BYTES;
    return this.#libc.recvfrom(fd, this.packet, PACKET_BYTES, MSG_DONTWAIT, this.#from, this.#fromLength);
  }

  #watch(fd: number, epoll = this.#epoll): void {
    this.#event.writeUInt32LE(EPOLLIN, 0);
    this.#event.writeInt32LE(fd, EVENT_FD_OFFSET);
    if (this.#libc.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, this.#event) !== 0) throw new Error("epoll refuses a socket");
  }
}
