// The client for TypeScript programs, written from the OpenAPI document: one function an operation, nothing by hand.

import type { OpenApi, Operation, Parameter } from "./openapi.ts";

type Located = { path: string; method: string; operation: Operation };

export function clientOf({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    `// ${info.title}, for TypeScript programs. Made from the OpenAPI document by "npm run client": do not change it here.`,
    runtime,
    `export class Santral extends Line {\n${operations.map(member).join("\n\n")}\n}\n`,
  ].join("\n\n");
}

function member({ path, method, operation }: Located): string {
  const { operationId, summary, description, parameters } = operation;
  const isOptional = parameters.every(({ required }) => !required);
  const fields = parameters.map(field).join("");
  const given = parameters.length === 0 ? "" : `parameters: {\n${fields}  }${isOptional ? " = {}" : ""}`;
  const { kind, type } = answerOf(operation);
  return `  /**
   * ${comment(summary)}.
   *
   * ${comment(description)}
   */
  ${nameOf(operationId)}(${given}): Promise<${type}> {
    return this.ask("${method}", "${path}", ${parameters.length === 0 ? "{}" : "parameters"}, "${kind}") as Promise<${type}>;
  }`;
}

/** A path may hold a dot, a name may not. */
function nameOf(operationId: string): string {
  return operationId.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function field({ name, required, description, schema }: Parameter): string {
  const said = description === undefined ? "" : `    /** ${comment(description)} */\n`;
  return `${said}    ${name}${required ? "" : "?"}: ${typeOf(schema)}${required ? "" : " | undefined"};\n`;
}

type Schema = { type?: string; enum?: readonly unknown[]; items?: Schema; contentEncoding?: string };

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.type === "array") return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (schema.contentEncoding !== undefined) return "string | Blob";
  return plainTypes[schema.type ?? "string"] ?? "unknown";
}

const plainTypes: Partial<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  object: "Record<string, unknown>",
};

/** What success says, by its content; JSON has the shape of the documented example. */
function answerOf({ responses }: Operation): { kind: "text" | "json" | "file"; type: string } {
  const content = responses["200"]?.content ?? {};
  if (content["audio/*"]) return { kind: "file", type: "Blob" };
  const example = content["application/json"]?.example;
  if (content["text/plain"] || example === undefined) return { kind: "text", type: "string" };
  return { kind: "json", type: shapeOf(example, "  ") };
}

function shapeOf(value: unknown, indent: string): string {
  if (value === null) return "unknown";
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((item) => shapeOf(item, indent)));
    return shapes.size === 0 ? "unknown[]" : `(${[...shapes].join(" | ")})[]`;
  }
  if (typeof value !== "object") return typeof value;
  const deeper = `${indent}  `;
  const fields = Object.entries(value).map(
    ([name, inner]) =>
      `${deeper}${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${shapeOf(inner, deeper)};\n`,
  );
  return `{\n${fields.join("")}${indent}}`;
}

function comment(text: string): string {
  return text.replaceAll("*/", "* /").replace(/\.$/, "");
}

const runtime = `export type SantralOptions = {
  /** Such as https://santral.example.com, without a path. */
  url: string;
  /** The exchange's API key. The operations under /v2 take a user name and a password instead. */
  key?: string;
  /** Another way to fetch, for tests and proxies. */
  fetch?: typeof fetch;
};

/** The exchange said no: a status and one sentence. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds to wait before asking again, where it was asked too often. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, sentence: string, retryAfter: string | null) {
    super(sentence);
    this.name = "Refused";
    this.status = status;
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
}

type Value = string | number | boolean | Blob | readonly unknown[] | Record<string, unknown> | undefined;

class Line {
  readonly #options: SantralOptions;

  constructor(options: SantralOptions) {
    this.#options = options;
  }

  protected async ask(
    method: string,
    path: string,
    parameters: Record<string, Value>,
    kind: "text" | "json" | "file",
  ): Promise<unknown> {
    const { url, key, fetch: go = fetch } = this.#options;
    const left = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
    const filled = path.replace(/\\{(\\w+)\\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(left.get(name)));
      left.delete(name);
      return value;
    });
    if (key !== undefined && !path.startsWith("/v2/")) left.set("key", key);
    const hasBody = method !== "GET" && method !== "HEAD";
    const query = hasBody ? "" : queryOf(left);
    const answer = await go(new URL(filled + query, url), { method, ...(hasBody ? bodyOf(left) : {}) });
    if (!answer.ok) throw new Refused(answer.status, await answer.text(), answer.headers.get("retry-after"));
    if (kind === "file") return answer.blob();
    return kind === "json" ? answer.json() : answer.text();
  }
}

function queryOf(parameters: Map<string, Value>): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters)
    for (const one of Array.isArray(value) ? value : [value]) query.append(Array.isArray(value) ? \`\${name}[]\` : name, String(one));
  return query.size === 0 ? "" : \`?\${query}\`;
}

/** Files go in a form, everything else as JSON. */
function bodyOf(parameters: Map<string, Value>): { body: string | FormData; headers?: Record<string, string> } {
  if (![...parameters.values()].some((value) => value instanceof Blob))
    return { body: JSON.stringify(Object.fromEntries(parameters)), headers: { "content-type": "application/json" } };
  const form = new FormData();
  for (const [name, value] of parameters) form.append(name, value instanceof Blob ? value : String(value));
  return { body: form };
}`;
