// The one HTTP server: what it needs, which doors it opens, and how it learns that something it remembers has changed.

import type { AddressInfo } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnspecified } from "../addresses.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { FaxOffice } from "../exchange/features/faxes/fax-office.ts";
import { listExtensionStates } from "../store/statuses.ts";
import { type ConsoleOptions, mountConsole } from "./console/console.ts";
import { type Answer, refuse, send } from "./door/answer.ts";
import { clientAddressBehind } from "./door/client-address.ts";
import type { Line, Services } from "./door/context.ts";
import { type Door, openDoorTo } from "./door/door.ts";
import type { Endpoint, Method } from "./door/endpoint.ts";
import { keyRing } from "./door/key-ring.ts";
import { openFastify, type Patience } from "./door/listener.ts";
import { memory } from "./door/memory.ts";
import { nobodyRegistered } from "./door/presence.ts";
import { type Rates, rateLimit } from "./door/rate-limit.ts";
import { requestBodies } from "./door/request-body.ts";
import { callsApi } from "./exchange/calls.ts";
import { faxesApi } from "./exchange/faxes.ts";
import { exchangeApi } from "./exchange/routes.ts";
import { mountReference } from "./reference/routes.ts";

export type HttpServerOptions = Omit<Services, "presence" | "probeUrl" | "extensionStates" | "baseUrl"> & {
  config: { http: { host: string; port: number }; publicUrl: string | undefined; trustedProxies: readonly string[] };
  presence?: Services["presence"];
  probeUrl?: Services["probeUrl"];
  /** A running exchange; without one there are no call operations. */
  exchange?: Exchange;
  /** Where faxes are ordered; without one there are no fax operations. */
  faxes?: FaxOffice;
  /** Further routes: health and metrics, and later the doors that other parts bring. */
  plugins?: readonly ((server: FastifyInstance) => Promise<void>)[];
  /** The staff's own door; without it there is none. */
  console?: ConsoleOptions;
  /** Other limits than the interface's, for tests and benches. */
  rates?: Rates;
  patience?: Patience;
};

/** `address` is host:port. */
export type HttpServer = { address: string; close(): Promise<void> };

const METHODS: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const READS: readonly string[] = ["GET", "HEAD"];

export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    config,
    plugins = [],
    presence = nobodyRegistered,
    probeUrl,
    exchange,
    faxes,
    console,
    rates,
    ...rest
  } = options;
  const { patience, ...given } = rest;
  const { db, clock, log } = given;
  const app = openFastify(log, patience);
  const keys = keyRing(db, clock);
  const extensionStates = memory(clock, (exchangeId: number) => listExtensionStates(db, exchangeId));
  const baseUrl = (line: Line) => config.publicUrl ?? `http://${addressOf(app, hostReachedBy(line, config.http.host))}`;
  for (const plugin of plugins) await app.register(plugin);
  const endpoints = [...(exchange ? callsApi(exchange) : []), ...exchangeApi, ...(faxes ? faxesApi(faxes) : [])];
  mountReference(app, endpoints);
  const services = { ...given, presence, probeUrl, extensionStates, baseUrl };
  const clientAddress = clientAddressBehind(config.trustedProxies);
  const readRequestBody = requestBodies();
  mount(app, endpoints, { services, keys, limit: rateLimit(clock, rates), clientAddress, readRequestBody });
  const { publicUrl } = config;
  if (console) await mountConsole(app, { ...console, services, faxes, clientAddress, readRequestBody, publicUrl });
  const stopListening = await db.listen("exchange_changed", (exchangeId) => {
    const concerns = (id: number | undefined) => exchangeId === "" || String(id) === exchangeId;
    keys.forget((_, tenant) => concerns(tenant?.id));
    extensionStates.forget(concerns);
  });
  await app.listen(config.http);
  return {
    address: addressOf(app, config.http.host),
    close: async () => {
      await app.close();
      await stopListening();
    },
  };
}

function mount(app: FastifyInstance, endpoints: readonly Endpoint[], door: Door): void {
  const methodsOf = new Map<string, Method[]>();
  const { db, log } = door.services;
  for (const endpoint of endpoints) {
    const answer = openDoorTo(endpoint, door);
    for (const url of endpoint.paths) {
      app.route({
        method: [...endpoint.methods],
        url,
        handler: (request, reply) => {
          const said = answer(request);
          if (said instanceof Promise) return said.then((it) => noted(request, it, reply));
          void send(reply, said);
          return undefined; // to hand the reply back would make Fastify wait for it as for a promise
        },
      });
      methodsOf.set(url, [...(methodsOf.get(url) ?? []), ...endpoint.methods]);
    }
  }
  for (const [url, known] of methodsOf) refuseOtherMethods(app, url, known);

  /** What is answered out of memory changes nothing, and a line about it would cost more than the answer. */
  async function noted(request: FastifyRequest, said: Answer, reply: FastifyReply) {
    const status = "status" in said ? said.status : 200;
    // Who reads that something is changed may rely on it: whatever part remembered it otherwise knows by then.
    if (status < 400 && !READS.includes(request.method)) await db.heard();
    log.debug({ method: request.method, route: request.routeOptions.url, status }, "answered");
    return send(reply, said);
  }
}

function refuseOtherMethods(app: FastifyInstance, url: string, known: readonly Method[]): void {
  const others = METHODS.filter((method) => !known.includes(method));
  const allow = known.join(", ");
  app.route({
    method: [...others, "OPTIONS"],
    url,
    handler: (_request, reply) => void send(reply.header("allow", allow), refuse(405, "Method Not Allowed")),
  });
}

/** Who listens on every address is still reached on one of them, and only that one is of use in a URL. */
function hostReachedBy({ localAddress }: Line, host: string): string {
  return isUnspecified(host) ? (localAddress ?? host).replace(/^::ffff:/, "") : host;
}

function addressOf({ server }: FastifyInstance, host: string): string {
  const { port } = server.address() as AddressInfo; // listening on a host and a port, so it is not a pipe
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
