// Fastify as we use it: bounded in size and time, silent about its insides, and speaking plain text when it refuses.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { whenStalled } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { FilesAway } from "../../objects/objects.ts";
import { NotOwner } from "../../store/fences.ts";
import { GivenUp } from "../../store/limit.ts";
import { type RefusedAnswer, refuse, send } from "./answer.ts";
import { boundConnections, type ConnectionParts } from "./connections.ts";
import type { Arrived } from "./guard.ts";
import type { Hosts } from "./hosts.ts";
import { isLongUnread, sendsWhenAsked } from "./request-body.ts";
import { TOO_LATE } from "./request-limit.ts";
import { tidyUrl } from "./tidy-url.ts";
import { closeWith, takeUpgrades } from "./upgrades.ts";

/** Long enough for a small sound file in a query string, which some clients send. */
const LONGEST_URL = 1024 * 1024;
const LONGEST_HEADERS = 64 * 1024;

/** The rest of a refused body that is read all the same, so that the connection can go on. */
const MOST_THROWN_AWAY = 64 * 1024;
const HEARS_WITHIN_MS = 1_000;

/** How long a caller may take to say the headers and the whole of a request, and how often we look at the watch. */
export type Patience = { headersMs: number; requestMs: number; lookMs: number; mostSilent?: number };

const usual: Patience = { headersMs: 20_000, requestMs: 120_000, lookMs: 5_000 };

/** Longer than proxies and browsers keep theirs for another request, as a rule: whoever closes first loses no request. */
const KEPT_MS = 72_000;

/** Connections that have asked for nothing yet: whoever means something asks in a moment. */
const MOST_SILENT = 2_000;

/** Also a server that is asked by any name, as in tests of its parts. */
export function openFastify(
  log: Log,
  patience: Patience = usual,
  isForUs: Hosts = () => true,
  connections?: ConnectionParts,
): FastifyInstance {
  const { headersMs, requestMs, lookMs, mostSilent = MOST_SILENT } = patience;
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: requestMs,
    keepAliveTimeout: KEPT_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    http: {
      maxHeaderSize: LONGEST_URL + LONGEST_HEADERS,
      headersTimeout: headersMs,
      connectionsCheckingInterval: lookMs,
    },
    rewriteUrl: (request) => tidyUrl(request.url ?? "/"),
    routerOptions: { maxParamLength: 300, querystringParser: () => ({}) },
    frameworkErrors: (_error, _request, reply) =>
      void send(reply as FastifyReply, refuse({ refused: "http", status: 400 })),
    clientErrorHandler: refuseBrokenRequest,
  });
  letGoOfTheSilent(app, mostSilent);
  if (connections) boundConnections(app.server, connections);
  app.server.on("checkContinue", (request, response) => {
    sendsWhenAsked(request, () => response.writeContinue());
    app.server.emit("request", request, response);
  });
  app.addHook("onSend", (request, reply, _body, done) => {
    if (isLongUnread(request.raw, MOST_THROWN_AWAY)) leaveUnread(request.raw, reply);
    done();
  });
  takeUpgrades(app, isForUs);
  app.decorateRequest("arrived", null as unknown as Arrived); // set by the first hook of every request
  app.addHook("onRequest", (request, reply, done) => {
    const refusal = noteArrival(request) ?? (isForUs(request.raw) ? undefined : refuse({ refused: "unknown-host" }));
    if (refusal) void send(reply.header("connection", "close"), refusal);
    else done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null)); // the door reads bodies itself
  app.setNotFoundHandler((_request, reply) => void send(reply, refuse({ refused: "http", status: 404 })));
  app.setErrorHandler((error, request, reply) => void send(reply, failure(error, request, log)));
  return app;
}

/** A connection that has asked for nothing yet is not idle to Node, which would wait for it: browsers open some in advance. */
function letGoOfTheSilent(app: FastifyInstance, most: number): void {
  const silent = new Set<Socket>();
  let isClosing = false;
  app.server.on("connection", (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
    if (silent.size > most) for (const oldest of silent) return void oldest.destroy();
  });
  const heard = ({ socket }: IncomingMessage) => void silent.delete(socket);
  app.server.on("request", heard);
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of silent) socket.destroy();
  });
}

/** Who is refused goes on sending: it stays where it is, and he has a moment to hear why before his line is closed. */
function leaveUnread(request: IncomingMessage, reply: FastifyReply): void {
  reply.header("connection", "close");
  request.read(0); // otherwise all of it would be read after the answer, and thrown away
  request.pause();
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    whenStalled(socket, HEARS_WITHIN_MS, () => socket.destroy());
  };
}

function noteArrival(request: FastifyRequest): RefusedAnswer | undefined {
  const { raw } = request;
  const url = raw.url ?? "";
  if (url.length > LONGEST_URL) return refuse({ refused: "http", status: 414 });
  if (lengthOf(raw) > LONGEST_HEADERS) return refuse({ refused: "http", status: 431 });
  const mark = url.indexOf("?");
  request.arrived = { query: mark < 0 ? "" : url.slice(mark + 1), contentType: raw.headers["content-type"] ?? "" };
  // Whatever a client calls its body, we look at the body: left in place, a malformed type would end in a 415.
  if (request.arrived.contentType !== "") delete raw.headers["content-type"];
  return undefined;
}

function lengthOf({ rawHeaders }: IncomingMessage): number {
  let length = 0;
  for (const part of rawHeaders) length += part.length;
  return length;
}

// The caller learns that it was us, and nothing else; the log learns the rest.
function failure(error: unknown, request: FastifyRequest, log: Log): RefusedAnswer {
  const { url } = request.routeOptions;
  log.error({ method: request.method, route: url, error: describe(error) }, "a request failed");
  if (error instanceof GivenUp) return TOO_LATE;
  if (error instanceof NotOwner) return refuse({ refused: "busy", seconds: 2 }); // it lives elsewhere since a moment ago
  return isOutage(error) ? refuse({ refused: "busy", seconds: 5 }) : refuse({ refused: "http", status: 500 });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The database is away, hangs, takes no writes or is full, or the bucket does not answer: worth another try, unlike our own mistakes. */
function isOutage(error: unknown): boolean {
  if (error instanceof FilesAway) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(08|57P|57014|53|55P03|58|25006|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH)/.test(code) ||
    /connection terminated|timeout exceeded|query read timeout|timeout expired|not queryable/i.test(error.message)
  );
}

const brokenRequests: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

// Below HTTP there is no reply object: what cannot be parsed is answered by hand, and the line is closed.
function refuseBrokenRequest(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const overlong =
    error.code === "HPE_HEADER_OVERFLOW" && Buffer.isBuffer(error.rawPacket) && !error.rawPacket.includes("\n");
  const status = overlong ? "414 Request-URI Too Large" : (brokenRequests[error.code ?? ""] ?? "400 Bad Request");
  closeWith(socket, status);
}
