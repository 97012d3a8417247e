// The few libc calls that voice and signalling live on, bound through koffi; absent where koffi or Linux is.

import { createRequire } from "node:module";

type Call = (...args: (number | string | Uint8Array | Int32Array | null)[]) => number;

export type Libc = Record<
  | "socket"
  | "bind"
  | "close"
  | "setsockopt"
  | "getsockname"
  | "epoll_create1"
  | "epoll_ctl"
  | "epoll_wait"
  | "recvfrom"
  | "recvmsg"
  | "sendto"
  | "eventfd"
  | "read"
  | "write",
  Call
>;

const signatures: Record<keyof Libc, string> = {
  socket: "int socket(int, int, int)",
  bind: "int bind(int, void*, int)",
  close: "int close(int)",
  setsockopt: "int setsockopt(int, int, int, void*, int)",
  getsockname: "int getsockname(int, void*, void*)",
  epoll_create1: "int epoll_create1(int)",
  epoll_ctl: "int epoll_ctl(int, int, int, void*)",
  epoll_wait: "int epoll_wait(int, void*, int, int)",
  recvfrom: "long recvfrom(int, void*, long, int, void*, void*)",
  recvmsg: "long recvmsg(int, void*, int)",
  sendto: "long sendto(int, void*, long, int, void*, int)",
  eventfd: "int eventfd(uint, int)",
  read: "long read(int, void*, long)",
  write: "long write(int, void*, long)",
};

/** What this uses of koffi, in our own words. */
export type Library = { func(signature: string): Call };
export type Koffi = {
  load(library: string, options?: { deep: boolean }): Library;
  /** A function of ours that C may call: its address. */
  register(callback: () => number, type: object): number;
  pointer(type: object): object;
  proto(signature: string): object;
  decode(address: number, offset: number, type: string): number | bigint;
};

export function loadKoffi(): Koffi | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return createRequire(import.meta.url)("koffi") as Koffi;
  } catch {
    return undefined;
  }
}

export function loadLibc(): Libc | undefined {
  const koffi = loadKoffi();
  const library = koffi && loadFirst(koffi, ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]);
  if (!library) return undefined;
  const bound = Object.entries(signatures).map(([name, signature]) => [name, library.func(signature)]);
  return Object.fromEntries(bound) as Libc; // built from the very keys of its type
}

/** `own`: what it needs it takes from its own libraries, and not from what Node brings along under the same names. */
export function loadFirst(koffi: Koffi, names: string[], { own = false } = {}): Library | undefined {
  for (const name of names) {
    try {
      return koffi.load(name, { deep: own });
    } catch {
      // Another C library's name is next.
    }
  }
  return undefined;
}
