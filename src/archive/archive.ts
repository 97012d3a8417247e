// A store outside for files, whatever it is: the few things that are asked of it, and what can be the matter with it.

import type { Readable } from "node:stream";

/** What the copy at the store is held against; both sums in hexadecimal. */
export type Sums = { size: number; sha256: string; md5: string };

/** A file to put: it may be read more than once, and never lies in memory as a whole. */
export type Contents = Sums & { mediaType: string; open(): Readable };

/** Both ends are inside; `size` is that of the whole file. */
export type Part = { from: number; to: number; size: number };

export type TroubleKind =
  /** Of the way there. */
  | "bad-address"
  | "not-encrypted"
  | "not-public"
  | "no-address"
  | "unreachable"
  | "late"
  | "certificate"
  | "redirected"
  /** Of what the store says. */
  | "login"
  | "forbidden"
  | "no-place"
  | "region"
  | "clock"
  | "full"
  | "busy"
  | "not-there"
  | "differs"
  | "refused"
  /** Of ours. */
  | "secret"
  | "no-local-file"
  | "stopped";

/** `detail` is a code or a number of the other side, short and without secrets; often empty. */
export type Trouble = { trouble: TroubleKind; detail: string };

export type Archive = {
  /** What a file will be called there. Asked once and written down before it is put, so that every later try finds it. */
  nameFor(path: string, signal?: AbortSignal): Promise<string | Trouble>;
  /** Once more under the same name replaces what is there. */
  put(name: string, contents: Contents, signal?: AbortSignal): Promise<Trouble | undefined>;
  /** Whether what lies there is what was put: by the store's own sums, or else by reading it again. */
  check(name: string, sums: Sums, signal?: AbortSignal): Promise<Trouble | undefined>;
  open(name: string, part: Part, signal?: AbortSignal): Promise<Readable | Trouble>;
  /** Nothing there is as good as removed. */
  remove(name: string, signal?: AbortSignal): Promise<Trouble | undefined>;
};

const LONGEST_DETAIL = 120;

export function trouble(kind: TroubleKind, detail: string | number = ""): Trouble {
  return { trouble: kind, detail: String(detail).slice(0, LONGEST_DETAIL) };
}

export function isTrouble(value: unknown): value is Trouble {
  return typeof value === "object" && value !== null && "trouble" in value;
}

/** What the status alone says; stores that say more look at their own codes first. */
export function troubleOfStatus(status: number, code = ""): Trouble {
  const detail = code === "" ? `HTTP ${status}` : `${code} (HTTP ${status})`;
  if (status >= 300 && status < 400) return trouble("redirected", detail);
  if (status === 408 || status === 423 || status === 429 || (status >= 500 && status !== 507))
    return trouble("busy", detail);
  return trouble(byStatus[status] ?? "refused", detail);
}

const byStatus: Partial<Record<number, TroubleKind>> = {
  401: "login",
  403: "forbidden",
  404: "not-there",
  409: "no-place",
  413: "full",
  507: "full",
};
