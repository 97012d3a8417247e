// The connections that HTTP may have open at once, in all and of one address, so that SIP, voice and the database keep
// what they need of the process's descriptors. What waits for its next request makes room, the longest first; what
// has a request under way, or has become a WebSocket, stays.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { asWritten, holderOf } from "../../addresses.ts";
import { Row, RowPlace } from "./row.ts";

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

/** Idle: in the order in which they fell silent. */
type Guest = { all: number; readonly idle: Row<Line> };

/** One connection. */
class Line {
  readonly socket: Socket;
  readonly guest: Guest;
  readonly holder: string;
  readonly amongAll = new RowPlace<Line>(this);
  readonly amongGuests = new RowPlace<Line>(this);
  /** Told of the end of each answer. */
  readonly done: () => void;
  underWay = 0;
  isHeld = false;

  constructor(socket: Socket, { holder, guest }: { holder: string; guest: Guest }, done: (line: Line) => void) {
    this.socket = socket;
    this.holder = holder;
    this.guest = guest;
    this.done = () => done(this);
  }
}

export function boundConnections(server: Server, { all, ofOne, isShared, refused }: ConnectionParts): void {
  const lines = new Map<Socket, Line>();
  const guests = new Map<string, Guest>();
  const idle = new Row<Line>();

  server.on("connection", (socket: Socket) => {
    const known = lines.get(socket);
    // One that wanted another protocol, and is heard anew in this one.
    if (known) return rest(Object.assign(known, { isHeld: false }));
    const address = asWritten(socket.remoteAddress ?? "");
    const holder = holderOf(address);
    const guest = guests.get(holder) ?? { all: 0, idle: new Row() };
    guests.set(holder, guest);
    guest.all += 1;
    const line = new Line(socket, { holder, guest }, answered);
    lines.set(socket, line);
    socket.once("close", () => forget(line));
    rest(line);
    if (guest.all > ofOne && !isShared(address)) letGo(guest.idle, "connectionsOfOne");
    if (lines.size > all) letGo(idle, "connections");
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const line = lines.get(socket);
    if (!line) return;
    line.underWay += 1;
    wake(line);
    response.on("close", line.done);
  });
  server.on("upgrade", (_request: IncomingMessage, socket: Socket) => {
    const line = lines.get(socket);
    if (line) wake(Object.assign(line, { isHeld: true }));
  });

  function answered(line: Line): void {
    line.underWay -= 1;
    rest(line);
  }

  function rest(line: Line): void {
    if (line.underWay > 0 || line.isHeld || !lines.has(line.socket)) return;
    idle.append(line.amongAll);
    line.guest.idle.append(line.amongGuests);
  }

  function wake({ guest, amongAll, amongGuests }: Line): void {
    idle.remove(amongAll);
    guest.idle.remove(amongGuests);
  }

  /** Whoever came last waits as well, so there is one. */
  function letGo(waiting: Row<Line>, why: TooMany): void {
    refused(why);
    const longest = waiting.first();
    if (!longest) return;
    forget(longest); // it is closed a moment later, and may not be chosen again meanwhile
    longest.socket.destroy();
  }

  function forget(line: Line): void {
    if (!lines.delete(line.socket)) return;
    wake(line);
    line.guest.all -= 1;
    if (line.guest.all === 0) guests.delete(line.holder);
  }
}
