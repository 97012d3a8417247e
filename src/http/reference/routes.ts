// Where the reference is served: for programs at /openapi.json, for people at /docs.

import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../door/endpoint.ts";
import { openApiOf } from "./openapi.ts";
import { pageOf } from "./page.ts";

/** Nothing on the page comes from elsewhere, and nothing on it may run. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

export function mountReference(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const document = openApiOf(endpoints);
  const asJson = JSON.stringify(document);
  const asPage = pageOf(document);
  // The router has taken the `.json` off by now, as it does from every path.
  app.get("/openapi", (_request, reply) => reply.type("application/json; charset=utf-8").send(asJson));
  app.get("/docs", (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .headers({ "content-security-policy": POLICY, "x-content-type-options": "nosniff" })
      .headers({ "referrer-policy": "no-referrer", "cross-origin-opener-policy": "same-origin" })
      .send(asPage),
  );
}
