// The connections that HTTP may have open at once, in all and of one address, so that SIP, voice and the database keep
// what they need of the process's descriptors. What waits for its next request makes room, the longest first; what
// has a request under way, or has become a WebSocket, stays.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { asWritten, holderOf } from "../../addresses.ts";

export type ConnectionLimits = { all: number; ofOne: number };

/** Why one was closed: there were too many in all, or of its address. */
export type TooMany = "connections" | "connectionsOfOne";

export type ConnectionParts = ConnectionLimits & {
  /** Peers behind which there are many: proxies, other nodes, this machine. */
  isShared(address: string): boolean;
  refused(limit: TooMany): void;
};

/** Where nobody says more: far below what a server's process may have open. */
export const USUAL_CONNECTIONS: ConnectionLimits = { all: 10_000, ofOne: 2_500 };

type Guest = { all: number; idle: Set<Socket> };
type Line = { holder: string; guest: Guest; underWay: number; isHeld: boolean };

export function boundConnections(server: Server, { all, ofOne, isShared, refused }: ConnectionParts): void {
  const lines = new Map<Socket, Line>();
  const guests = new Map<string, Guest>();
  /** In the order in which they fell silent. */
  const idle = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    const known = lines.get(socket);
    // One that wanted another protocol, and is heard anew in this one.
    if (known) return rest(socket, Object.assign(known, { isHeld: false }));
    const address = asWritten(socket.remoteAddress ?? "");
    const holder = holderOf(address);
    const guest = guests.get(holder) ?? { all: 0, idle: new Set() };
    guests.set(holder, guest);
    guest.all += 1;
    const line = { holder, guest, underWay: 0, isHeld: false };
    lines.set(socket, line);
    socket.once("close", () => forget(socket));
    rest(socket, line);
    if (guest.all > ofOne && !isShared(address)) letGo(guest.idle, "connectionsOfOne");
    if (lines.size > all) letGo(idle, "connections");
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const line = lines.get(socket);
    if (!line) return;
    line.underWay += 1;
    wake(socket, line);
    response.once("close", () => {
      line.underWay -= 1;
      rest(socket, line);
    });
  });
  server.on("upgrade", (_request: IncomingMessage, socket: Socket) => {
    const line = lines.get(socket);
    if (line) wake(socket, Object.assign(line, { isHeld: true }));
  });

  function rest(socket: Socket, line: Line): void {
    if (line.underWay > 0 || line.isHeld || !lines.has(socket)) return;
    idle.add(socket);
    line.guest.idle.add(socket);
  }

  function wake(socket: Socket, { guest }: Line): void {
    idle.delete(socket);
    guest.idle.delete(socket);
  }

  /** Whoever came last waits as well, so there is one. */
  function letGo(waiting: ReadonlySet<Socket>, why: TooMany): void {
    refused(why);
    for (const longest of waiting) {
      forget(longest); // it is closed a moment later, and may not be chosen again meanwhile
      return void longest.destroy();
    }
  }

  function forget(socket: Socket): void {
    const line = lines.get(socket);
    if (!line) return;
    wake(socket, line);
    lines.delete(socket);
    line.guest.all -= 1;
    if (line.guest.all === 0) guests.delete(line.holder);
  }
}
