// Reads a request's body whole, within bounds: of one request, and of all that are being read at the same time.

import type { IncomingMessage } from "node:http";

export type BodyRead = { body: Buffer } | { failed: "too-large" | "gone" | "busy" };
export type ReadRequestBody = (request: IncomingMessage, most: number) => Promise<BodyRead>;

const NOTHING: BodyRead = { body: Buffer.alloc(0) };
const MOST_BYTES_IN_FLIGHT = 512 * 1024 * 1024;

const kept = new WeakMap<IncomingMessage, BodyRead>();

/** It had to be read before its time: whoever wants it next is given the same. */
export function keepBody(request: IncomingMessage, read: BodyRead): void {
  kept.set(request, read);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    (headers["content-length"] !== undefined && headers["content-length"] !== "0")
  );
}

export function requestBodies(mostInFlight = MOST_BYTES_IN_FLIGHT): ReadRequestBody {
  let inFlight = 0;
  return (request, most) => {
    if (!hasBody(request)) return Promise.resolve(NOTHING);
    const before = kept.get(request);
    if (before)
      return Promise.resolve("body" in before && before.body.length > most ? { failed: "too-large" } : before);
    if (Number(request.headers["content-length"] ?? 0) > most) return Promise.resolve({ failed: "too-large" });
    return new Promise((settle) => {
      const parts: Buffer[] = [];
      let size = 0;
      const finish = (read: BodyRead) => {
        inFlight -= size;
        size = 0;
        request.removeListener("data", hear);
        settle(read);
      };
      const hear = (part: Buffer) => {
        size += part.length;
        inFlight += part.length;
        parts.push(part);
        if (size > most) finish({ failed: "too-large" });
        else if (inFlight > mostInFlight) finish({ failed: "busy" });
      };
      request.on("data", hear);
      request.once("end", () => finish({ body: parts.length === 1 ? parts[0]! : Buffer.concat(parts) }));
      request.once("error", () => finish({ failed: "gone" }));
      request.once("close", () => finish({ failed: "gone" }));
    });
  };
}
