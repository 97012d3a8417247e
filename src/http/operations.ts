// What an operator's machines ask: is it alive, is it ready, and how is it doing. None of it needs an API key.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { asWritten } from "../addresses.ts";

export type Readiness = { ready: true } | { ready: false; because: string };

export type Operations = { registry: Registry; ready: () => Promise<Readiness>; fromAnywhere: boolean };

type Plugin = (server: FastifyInstance) => Promise<void>;

export function operations({ registry, ready, fromAnywhere }: Operations): Plugin {
  const plugin: Plugin = async (server) => {
    countRequests(server, registry);
    server.get("/healthz", async (_, reply) => reply.type("text/plain").send("alive"));
    server.get("/readyz", async (_, reply) => {
      const state = await ready();
      return reply
        .code(state.ready ? 200 : 503)
        .type("text/plain")
        .send(state.ready ? "ready" : state.because);
    });
    server.get("/metrics", async (request, reply) => {
      if (!fromAnywhere && !isFromThisMachine(request))
        return reply.code(403).type("text/plain").send("metrics are for this machine only");
      return reply.type(registry.contentType).send(await registry.metrics());
    });
  };
  // Fastify gives a plugin its own scope; the counters must see the requests of every door.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

function countRequests(server: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: "santral_http_requests_total",
    help: "HTTP requests answered",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "santral_http_request_seconds",
    help: "Time from a request's arrival to the end of its answer",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  server.addHook("onResponse", async (request, reply) => {
    // The route and not the path: a path is the caller's choice, and each new one would cost memory for ever.
    const route = request.routeOptions.url ?? "none";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    seconds.observe({ route }, reply.elapsedTime / 1_000);
  });
}

// A proxy on this machine makes the whole world look local, so a forwarded request never counts as ours.
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const forwarded = headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via ?? headers["x-real-ip"];
  return forwarded === undefined && /^(127\.|::1$)/.test(asWritten(socket.remoteAddress ?? ""));
}
