// The addresses that name no machine and the one that names our own.

export const LOOPBACK = "127.0.0.1";

/**
 * 0.0.0.0 or `::`, however it is spelt, in brackets or not (RFC 1122, RFC 4291 section 2.5.2). Whoever listens there
 * listens on every address of the machine; whoever writes it into a description wants nothing sent to them.
 */
export function isUnspecified(host: string): boolean {
  return /^\[?((::ffff:)?0\.0\.0\.0|[0:]*:[0:]*)\]?$/i.test(host);
}

/** Where a listener is reached from this very machine. */
export function fromHere(host: string): string {
  return isUnspecified(host) ? LOOPBACK : host;
}
