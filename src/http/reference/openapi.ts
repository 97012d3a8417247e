// The API's reference as an OpenAPI 3.1 document, made from the same table of endpoints that answers requests.

import type { TObject, TSchema } from "typebox";
import type { Endpoint, Method, Reference } from "../door/endpoint.ts";
import { type Rate, rates } from "../door/rate-limit.ts";
import { onTheWire } from "../door/wire-words.ts";

export type OpenApi = {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  security: object[];
  components: object;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
};

export type Operation = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security?: object[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Response>;
};

export type Parameter = { name: string; in: "path" | "query"; required: boolean; description?: string; schema: object };
type Content = Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }>;
type Response = { description: string; headers?: object; content?: Content };

type Documented = Endpoint & Reference;

const info = {
  title: "Santral API",
  version: "1",
  description: [
    "Every operation of the exchange needs its API key, as the parameter `key` in the query or in the body; those of the SMS API at /v2 need `username` and `password`.",
    "Parameters may come in the query, as a form, as JSON or as a multipart form, for every method; the body wins over the query.",
    "An empty value counts as absent. Booleans and numbers may be strings. Unknown parameters are ignored.",
    "Success is always 200. A refusal is a status and one sentence as plain text, nothing else.",
  ].join(" "),
};

/** What only our own pages ask for stands in no reference. */
export function openApiOf(operations: readonly Endpoint[]): OpenApi {
  const endpoints = operations.filter((it): it is Documented => it.group !== undefined);
  const paths: OpenApi["paths"] = {};
  for (const endpoint of endpoints)
    for (const path of endpoint.shownPath === undefined ? endpoint.paths : [endpoint.shownPath])
      for (const method of endpoint.methods) {
        const shown = path.replace(/:(\w+)/g, "{$1}");
        paths[shown] = { ...paths[shown], [method.toLowerCase()]: operationOf(endpoint, method, path) };
      }
  const groups = [...new Set(endpoints.map(({ group }) => group))];
  return {
    openapi: "3.1.0",
    info,
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", name: "key", in: "query" } } },
    tags: groups.map((name) => ({ name })),
    paths,
  };
}

function operationOf(endpoint: Documented, method: Method, path: string): Operation {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const all = parametersOf(endpoint.parameters, inPath);
  const takesBody = method !== "GET" && method !== "HEAD" && all.some((it) => it.in === "query");
  return {
    operationId: `${method.toLowerCase()}${path.replace(/(?<![/:_])[/:_]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: [endpoint.description, ...limitsOf(endpoint)].filter(Boolean).join(" "),
    ...(endpoint.guards.some(({ knows }) => knows === "key") ? {} : { security: [] }),
    parameters: all,
    ...(takesBody ? { requestBody: { content: bodiesOf(endpoint.parameters, inPath) } } : {}),
    responses: responsesOf(endpoint),
  };
}

function limitsOf({ guards }: Documented): string[] {
  return guards.flatMap(({ pool }) => (pool === undefined ? [] : `Rate limit: ${inWords(rates[pool])}.`));
}

function parametersOf(schema: TObject, inPath: ReadonlySet<string | undefined>): Parameter[] {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(property);
    return {
      name,
      in: inPath.has(name) ? "path" : "query",
      required: inPath.has(name) || required.includes(name),
      ...(description === undefined ? {} : { description: String(description) }),
      schema: rest,
    };
  });
}

function bodiesOf({ properties, required }: TObject, inPath: ReadonlySet<string | undefined>) {
  const outside = Object.entries(properties).filter(([name]) => !inPath.has(name));
  const needed = ((required ?? []) as readonly string[]).filter((name) => !inPath.has(name));
  const schema = {
    type: "object",
    ...(needed.length > 0 ? { required: needed } : {}),
    properties: Object.fromEntries(outside.map(([name, it]) => [name, plain(it)])),
  };
  return { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } };
}

function responsesOf(endpoint: Documented): Record<string, Response> {
  const { reply, example, guards } = endpoint;
  const success: Record<Documented["reply"], Content> = {
    text: { "text/plain": { schema: { type: "string" }, example } },
    json: { "application/json": { example } },
    "text or json": { "text/plain": { schema: { type: "string" }, example }, "application/json": {} },
    file: { "audio/*": { schema: { type: "string", format: "binary" } } },
  };
  const texts = [endpoint, ...guards].flatMap(({ refusals = [] }) => refusals).map(onTheWire);
  const statuses = [...new Set(texts.map(([status]) => status))].sort();
  return {
    "200": { description: "Success", content: success[reply] },
    ...Object.fromEntries(
      statuses.map((status) => [
        String(status),
        refusalOf(
          status,
          texts.filter(([it]) => it === status).map(([, text]) => text),
        ),
      ]),
    ),
  };
}

const meanings: Record<number, string> = {
  400: "Refused",
  401: "Wrong or missing key",
  404: "Not found",
  413: "Too large",
  429: "Asked too often",
};

function refusalOf(status: number, texts: string[]): Response {
  return {
    description: meanings[status] ?? "Refused",
    ...(status === 429
      ? { headers: { "Retry-After": { description: "seconds to wait", schema: { type: "integer" } } } }
      : {}),
    content: {
      "text/plain": {
        schema: { type: "string" },
        examples: Object.fromEntries(texts.map((text, index) => [`${index + 1}`, { value: text }])),
      },
    },
  };
}

/** TypeBox keeps symbols and our sentences (functions) in its schemas; JSON drops both. */
function plain(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}

function inWords({ requests, perMs, burst }: Rate): string {
  const unit = perMs === 60_000 ? "minute" : "second";
  return burst === requests ? `${requests} per ${unit}` : `${requests} per ${unit}, ${burst} at once`;
}
