// A codec whose library may not be loaded into our process: a program of its own is asked, and answers at once.
// One for each thread, started when first wanted; while it starts, or after it has died, there is silence.

import { bind } from "./native.ts";

type Sockets = {
  socketpair(family: number, kind: number, protocol: 0, into: Int32Array): number;
  setsockopt(fd: number, level: number, option: number, value: BigInt64Array, length: number): number;
  send(fd: number, order: Uint8Array, length: number, flags: number): number;
  recv(fd: number, into: Uint8Array, most: number, flags: number): number;
  close(fd: number): number;
};

const signatures: Record<keyof Sockets, string> = {
  socketpair: "int socketpair(int, int, int, _Out_ int32_t *)",
  setsockopt: "int setsockopt(int, int, int, void *, int)",
  send: "long send(int, const uint8_t *, long, int)",
  recv: "long recv(int, _Out_ uint8_t *, long, int)",
  close: "int close(int)",
};

const AF_UNIX = 1;
const SOCK_SEQPACKET_CLOEXEC = 5 | 0o2000000;
const SOL_SOCKET = 1;
const SO_RCVTIMEO = 20;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** Longer than a busy machine lets it wait; whoever hangs for so long has hung for good. */
const PATIENCE = BigInt64Array.of(0n, 200_000n); // seconds, microseconds

/** Orders, as `bin/g729-coder.mjs` knows them. */
export const ORDERS = { openEncoder: 1, openDecoder: 2, close: 3, encode: 4, decode: 5, conceal: 6 } as const;
const READY = 0;
const HEAD = 5;
const LONGEST = 4096;
/** Orders in vain before it is started again: some seconds of one call. */
const ORDERS_IN_VAIN = 250;

export class CoderProcess {
  readonly answer = new Uint8Array(LONGEST);
  /** Grows with each start: what was opened before is gone. */
  life = 0;
  readonly #program: string;
  readonly #order = new Uint8Array(LONGEST);
  readonly #head = new DataView(this.#order.buffer);
  #sockets: Sockets | undefined;
  #socket = -1;
  #isReady = false;
  #inVain = 0;
  #coders = 0;

  constructor(program: string) {
    this.#program = program;
  }

  newCoder(): number {
    this.#coders += 1;
    return this.#coders;
  }

  /** Whether it listens; starts it where it does not run. */
  isReady(): boolean {
    if (this.#isReady) return true;
    if (this.#socket < 0 && this.#inVain-- <= 0) this.#start();
    if (this.#socket < 0 || !this.#sockets) return false;
    const size = this.#sockets.recv(this.#socket, this.answer, LONGEST, MSG_DONTWAIT);
    if (size === 0) this.#lose();
    this.#isReady = size === 1 && this.answer[0] === READY;
    return this.#isReady;
  }

  /** Without an answer. */
  tell(kind: number, coder: number): void {
    if (this.#isReady) this.#send(kind, coder, HEAD);
  }

  /** Octets of the answer, which begins at 1 in `answer`; 0 when there is none. */
  ask(kind: number, coder: number, given: Uint8Array): number {
    if (!this.isReady() || !this.#sockets || given.length > LONGEST - HEAD) return 0;
    this.#order.set(given, HEAD);
    this.#send(kind, coder, HEAD + given.length);
    if (!this.#isReady) return 0;
    const size = this.#sockets.recv(this.#socket, this.answer, LONGEST, 0);
    if (size < 1 || this.answer[0] !== kind) this.#lose();
    return Math.max(0, size - 1);
  }

  #send(kind: number, coder: number, length: number): void {
    this.#order[0] = kind;
    this.#head.setUint32(1, coder, true);
    if (this.#sockets?.send(this.#socket, this.#order, length, MSG_NOSIGNAL) !== length) this.#lose();
  }

  #start(): void {
    this.#inVain = ORDERS_IN_VAIN;
    // Descriptors belong to the process: a thread that ends would leave the program running.
    if (!this.#sockets) process.once("exit", () => this.#lose());
    this.#sockets ??= bind<Sockets>("libc.so.6", signatures);
    const pair = new Int32Array(2);
    if (this.#sockets.socketpair(AF_UNIX, SOCK_SEQPACKET_CLOEXEC, 0, pair) !== 0) return;
    const [ours = -1, theirs = -1] = pair;
    this.#sockets.setsockopt(ours, SOL_SOCKET, SO_RCVTIMEO, PATIENCE, PATIENCE.byteLength);
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(process.execPath, [this.#program], {
      env: {}, // of settings, and the passwords among them, it needs none
      stdio: ["ignore", "ignore", "ignore", theirs],
    });
    child.on("error", () => undefined); // it never says that it is ready
    child.unref();
    this.#sockets.close(theirs);
    this.#socket = ours;
    this.life += 1;
  }

  /** Its end of the line is closed, and it leaves. */
  #lose(): void {
    if (this.#socket >= 0) this.#sockets?.close(this.#socket);
    this.#socket = -1;
    this.#isReady = false;
  }
}
