// Passes a request on to the node on which its exchange lives, and what comes back to whoever asked: nothing is read in
// between but what must be.

import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { whenStalled } from "../../clock.ts";
import { askForBody } from "../door/request-body.ts";
import { NODE_HEADER } from "./signature.ts";

export type Onward = {
  /** Of the other node. */
  url: string;
  /** Who asks, for it to believe. */
  signature: string;
  /** Where it was read already. */
  body: Buffer | undefined;
};

/** `unreached`: nothing of it was heard there, and it may be tried again. `broken`: who knows. */
export type PassedOn = "passed" | "unreached" | "broken";

const CONNECT_MS = 2_000;
/** Of the connection and not of what goes over it; and who asks is told to the other node by the signature alone. */
const NOT_PASSED = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect"],
  ...["x-forwarded-for", "x-real-ip", "forwarded", NODE_HEADER],
]);

export function passOn(request: FastifyRequest, reply: FastifyReply, onward: Onward): Promise<PassedOn> {
  const { raw, method, originalUrl } = request;
  const headers = { ...passedHeaders(raw), ...lengthOf(raw, onward.body), [NODE_HEADER]: onward.signature };
  return new Promise((settle) => {
    const there = open(onward.url, { method, path: originalUrl, headers });
    let isConnected = false;
    whenConnected(there, () => {
      isConnected = true;
      askForBody(raw);
      if (onward.body) there.end(onward.body);
      else pipeline(raw, there, () => undefined);
    });
    there.once("error", () => settle(isConnected ? "broken" : "unreached"));
    there.once("response", (answer) => {
      reply.hijack();
      reply.raw.writeHead(answer.statusCode ?? 502, passedHeaders(answer));
      pipeline(answer, reply.raw, () => undefined);
      settle("passed");
    });
    reply.raw.once("close", () => there.destroy());
  });
}

/** The same for a request that wants another protocol: both sides talk on as they like. */
export function passUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, onward: Onward): Promise<PassedOn> {
  const { method = "GET", url = "/", headers: asked } = request;
  const headers = {
    ...passedHeaders(request),
    connection: "Upgrade",
    upgrade: asked.upgrade ?? "",
    [NODE_HEADER]: onward.signature,
  };
  return new Promise((settle) => {
    const there = open(onward.url, { method, path: url, headers });
    let isConnected = false;
    whenConnected(there, () => {
      isConnected = true;
      there.end();
    });
    there.once("error", () => settle(isConnected ? "broken" : "unreached"));
    there.once("response", () => {
      there.destroy();
      settle("broken"); // it wants to speak no other protocol
    });
    there.once("upgrade", (answer, other, first) => {
      const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [value].flat().map((it) => `${name}: ${it}`),
      );
      socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join("\r\n")}\r\n\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) other.write(head);
      whenStalled(other, 0, () => undefined);
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ] as const)
        pipeline(one, two, () => two.destroy());
      settle("passed");
    });
    socket.once("close", () => there.destroy());
  });
}

/** A connection for each: the other side takes its peer for the client that was signed for. */
function open(base: string, options: RequestOptions) {
  const url = new URL(base);
  const request = url.protocol === "https:" ? secureRequest : plainRequest;
  const { hostname, port } = url;
  return request({ hostname: hostname.replace(/^\[|\]$/g, ""), port, agent: false, setHost: false, ...options });
}

function whenConnected(there: ReturnType<typeof open>, act: () => void): void {
  there.once("socket", (line) => {
    whenStalled(line, CONNECT_MS, () => there.destroy(new Error("it takes too long to connect")));
    line.once("encrypted" in line ? "secureConnect" : "connect", () => {
      whenStalled(line, 0, () => undefined);
      act();
    });
  });
}

function passedHeaders({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!]; // they come in pairs
    if (NOT_PASSED.has(name)) continue;
    const before = passed[name];
    passed[name] = before === undefined ? value : [before, value].flat();
  }
  return passed;
}

/** A body of unknown length goes on in pieces, as it came. */
function lengthOf({ headers }: IncomingMessage, body: Buffer | undefined): Record<string, string> {
  if (body) return { "content-length": String(body.length) };
  return headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
}
