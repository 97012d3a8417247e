// The one HTTP server: what it needs, which doors it opens, and how it learns that something it remembers has changed.

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { asWritten, isLoopback, isUnspecified } from "../addresses.ts";
import { inThisThread } from "../readers/task.ts";
import { openOrderDesk } from "../sms/order-desk.ts";
import { openContactDesk } from "../store/contact-desk.ts";
import { eachWithin } from "../store/limit.ts";
import { listExtensionStates } from "../store/statuses.ts";
import { type ConsoleOptions, mountConsole } from "./console/console.ts";
import { ownFiles } from "./console/pages.ts";
import { clientAddressBehind, peersAmong } from "./door/client-address.ts";
import { type ConnectionLimits, type ConnectionParts, type TooMany, USUAL_CONNECTIONS } from "./door/connections.ts";
import type { Connection, Services } from "./door/context.ts";
import { mountOperations } from "./door/door.ts";
import { type HostNames, type Hosts, openHosts } from "./door/hosts.ts";
import { keyRing } from "./door/key-ring.ts";
import { openFastify, type Patience } from "./door/listener.ts";
import { memory } from "./door/memory.ts";
import { nobodyRegistered } from "./door/phone-states.ts";
import { type Pool, type Rates, rateLimit } from "./door/rate-limit.ts";
import { requestBodies } from "./door/request-body.ts";
import { everyOperation } from "./every-operation.ts";
import { longestKeyed } from "./longest-keyed.ts";
import { type FrontParts, nodeFront } from "./nodes/front.ts";
import { NODE_HEADER } from "./nodes/signature.ts";
import { mountReference } from "./reference/routes.ts";
import { mendRawQueries } from "./sms/raw-query.ts";
import { mountWall } from "./wall/page.ts";

/** Of the services those that are made here. */
type Made = "readers" | "presence" | "probeUrl" | "extensionStates" | "orders" | "contacts" | "baseUrl";

export type HttpServerOptions = Omit<Services, Made> & {
  config: {
    http: { host: string; port: number };
    publicUrl: string | undefined;
    trustedProxies: readonly string[];
    /** What else than its addresses and its public name the server is asked by. */
    httpHosts?: HostNames;
    /** How much of a body is read to learn whose it is. */
    shownWithinKb?: number;
    nodeUrl?: string | undefined;
    metricsFromAnywhere?: boolean;
    requestSeconds?: number;
  };
  presence?: Services["presence"];
  /** Without it what is read is read here. */
  readers?: Services["readers"];
  probeUrl?: Services["probeUrl"];
  /** Further routes: health and metrics, and later the doors that other parts bring. */
  plugins?: readonly ((server: FastifyInstance) => Promise<void>)[];
  /** The staff's own door; without it there is none. */
  console?: ConsoleOptions;
  /** Other limits than the interface's, for tests and benches. */
  rates?: Rates;
  /** Told of each who asks more often than he may, and of connections that were too many. */
  refused?: (limit: Pool | TooMany) => void;
  /** How many connections may be open at once. */
  connections?: ConnectionLimits;
  patience?: Patience;
  /** Where several nodes share the exchanges: what lives elsewhere is passed on. */
  front?: Pick<FrontParts, "map" | "db" | "secret" | "facts"> | undefined;
};

const REQUEST_SECONDS = 20;
const SHOWN_WITHIN_KB = 256;

/** `address` is host:port. */
export type HttpServer = { address: string; close(): Promise<void> };

export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    config,
    plugins = [],
    presence = nobodyRegistered,
    readers = inThisThread,
    probeUrl,
    console,
    rates,
    refused,
    ...rest
  } = options;
  const { patience, front, ...given } = rest;
  const { clock, log, faxes } = given;
  const { requestSeconds = REQUEST_SECONDS } = config;
  // What is asked before it is known whose request it is: nobody waits longer for it either.
  const db = given.db.within(eachWithin(requestSeconds));
  const app = openFastify(log, patience, hostsOf(options), connectionsOf(options));
  if (config.publicUrl?.startsWith("https:")) sayHttpsOnly(app);
  const keys = keyRing(db, clock);
  const extensionStates = memory(clock, (exchangeId: number) => listExtensionStates(db, exchangeId));
  const baseUrl = (line: Connection) =>
    config.publicUrl ?? `http://${addressOf(app, hostReachedBy(line, config.http.host))}`;
  const clientAddress = clientAddressBehind(config.trustedProxies);
  const bodies = requestBodies(clock);
  const shownWithin = (config.shownWithinKb ?? SHOWN_WITHIN_KB) * 1_024;
  const limit = rateLimit(clock, { table: rates, refused });
  const isOwnFile = ownFiles(console?.pages);
  const shared = { clock, log, clientAddress, bodies, shownWithin, limit, isOwnFile, longestBody: longestKeyed() };
  const node = front && nodeFront({ ...front, ...shared });
  if (node) await app.register(node.plugin);
  for (const plugin of plugins) await app.register(plugin);
  const endpoints = everyOperation.filter(({ needs = [] }) => needs.every((part) => given[part]));
  mountReference(app, endpoints);
  const desks = { orders: openOrderDesk(db, clock), contacts: openContactDesk(db, clock) };
  const services = { ...given, ...desks, db, readers, presence, probeUrl, extensionStates, baseUrl };
  const requestMs = requestSeconds * 1_000;
  const countGuess = node?.countGuess ?? limit.take;
  mountOperations(app, endpoints, { services, keys, limit, countGuess, clientAddress, bodies, shownWithin, requestMs });
  mendRawQueries(app);
  const { publicUrl } = config;
  const forConsole = { services, faxes, clientAddress, bodies, publicUrl, requestMs };
  const forStaff = { countGuess: node?.countGuess ?? rateLimit(clock, { refused }).take };
  if (console) await mountConsole(app, { ...console, ...forConsole, ...forStaff });
  if (console) mountWall(app, { ...console, ...forStaff, db, clock, log, publicUrl, clientAddress });
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

/** A year. Browsers heed it where it came by https, so whoever comes by address and http is not kept from it. */
const HTTPS_ONLY = "max-age=31536000";

function sayHttpsOnly(app: FastifyInstance): void {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.raw.setHeader("strict-transport-security", HTTPS_ONLY); // also in answers that go past Fastify
    done();
  });
}

function connectionsOf({ config, connections, front, refused }: HttpServerOptions): ConnectionParts {
  const isTrusted = peersAmong(config.trustedProxies);
  const isNode = (address: string) =>
    front?.map.others().some(({ url }) => asWritten(new URL(url).hostname) === address) ?? false;
  return {
    ...(connections ?? USUAL_CONNECTIONS),
    isShared: (address) => isLoopback(address) || isTrusted(address) || isNode(address),
    refused: (limit) => refused?.(limit),
  };
}

function hostsOf({ config, front, log }: HttpServerOptions): Hosts {
  const { publicUrl, nodeUrl, http, trustedProxies, httpHosts = [], metricsFromAnywhere } = config;
  return openHosts({
    more: httpHosts,
    metricsFromAnywhere,
    urls: [publicUrl, nodeUrl, `http://${http.host}`],
    isTrusted: peersAmong(trustedProxies),
    // A signature that is forged is refused by the front, which looks next.
    isPassedOn: (headers) => front !== undefined && headers[NODE_HEADER] !== undefined,
    onRefused: (host) => log.warn({ host }, "asked for by a name that is not ours: see SANTRAL_HTTP_HOSTS"),
  });
}

/** Who listens on every address is still reached on one of them, and only that one is of use in a URL. */
function hostReachedBy({ localAddress }: Connection, host: string): string {
  return isUnspecified(host) ? asWritten(localAddress ?? host) : host;
}

function addressOf({ server }: FastifyInstance, host: string): string {
  const { port } = server.address() as AddressInfo; // listening on a host and a port, so it is not a pipe
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
