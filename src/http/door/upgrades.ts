// Requests that ask for another protocol: each goes to the part that claims it, and what nobody claims is answered and closed.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { whenStalled } from "../../clock.ts";
import type { Hosts } from "./hosts.ts";

/** True when it is theirs from now on, to answer and to close. */
export type Claim = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Whether it is somebody else's from now on, to answer and to close. */
export type Screen = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;

declare module "fastify" {
  interface FastifyInstance {
    claimUpgrade(claim: Claim): void;
    /** Asked before anybody may claim it; at most one screens. */
    screenUpgrade(screen: Screen): void;
  }
}

export function takeUpgrades(app: FastifyInstance, isForUs: Hosts): void {
  const claims: Claim[] = [];
  let screen: Screen | undefined;
  app.decorate("screenUpgrade", (it: Screen) => {
    screen = it;
  });
  const answering = new WeakMap<Socket, ServerResponse>();
  app.decorate("claimUpgrade", (claim: Claim) => void claims.push(claim));
  app.server.on("request", (request, response) => void answering.set(request.socket, response));
  app.server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => socket.destroy()); // Node has taken its own away, and without one we would end with it
    const take = () => {
      if (socket.destroyed) return;
      if (!isForUs(request)) return closeWith(socket, "421 Misdirected Request");
      whenStalled(socket, 0, () => undefined); // set after the last answer, for a client that says nothing more
      if (!screen) return claim();
      screen(request, socket, head).then(
        (isTaken) => isTaken || socket.destroyed || claim(),
        () => closeWith(socket, "503 Service Unavailable"),
      );
    };
    const claim = () => {
      if (claims.some((claim) => claim(request, socket, head))) return;
      if (isWebSocket(request)) closeWith(socket, "404 Not Found");
      else answerPlainly(app, request, socket, head);
    };
    const last = answering.get(socket);
    if (!last || last.writableFinished) take();
    else last.once("close", take);
  });
}

/** Said by hand, where there is no reply object. A client that keeps its own side open is not waited for. */
export function closeWith(socket: Duplex, status: string): void {
  const words = status.slice(4);
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `x-content-type-options: nosniff\r\ncontent-length: ${words.length}\r\n\r\n${words}`,
  );
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? "");
}

/**
 * Who would rather speak another protocol is answered in this one (RFC 9110, section 7.8). Node has stopped reading the
 * connection as HTTP, so it hears the request once more, as on a new one, without the wish.
 */
function answerPlainly({ server }: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  const text = lines.join("\n");
  if (/[\r\0]/.test(text) || text.split("\n").length !== lines.length) return closeWith(socket, "400 Bad Request");
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
