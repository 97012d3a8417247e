// The client for TypeScript programs, written from the OpenAPI document: one function an operation, nothing by hand.

import type { OpenApi, Operation, Parameter } from "./openapi.ts";

type Located = { path: string; method: string; operation: Operation };

/** `line`: the text of `client-line.ts`, which the client brings along so that it is one file and needs no other. */
export function clientOf({ info, paths }: OpenApi, line: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    `// ${info.title}, for TypeScript programs. Made from the OpenAPI document by "npm run client": do not change it here.`,
    line.replace(/^(\/\/.*\n)+\n?/, "").trimEnd(),
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
  return operationId.replace(/(?<!\W)\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
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
