// The reference as one HTML page that needs nothing from anywhere else.

import type { OpenApi, Operation, Parameter } from "./openapi.ts";

export function pageOf(document: OpenApi): string {
  const { info, tags, paths } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const index = tags.map(({ name }) => `<a href="#${anchor(name)}">${safe(name)}</a>`).join("");
  const chapters = tags.map(({ name }) => {
    const inside = operations.filter(({ operation }) => operation.tags[0] === name);
    return `<h2 id="${anchor(name)}">${safe(name)}</h2>${inside.map(article).join("")}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(info.title)}</title><style>${style}</style></head><body><nav><b>${safe(info.title)}</b>${index}
<a href="/openapi.json">openapi.json</a></nav><main><h1>${safe(info.title)}</h1><p>${prose(info.description)}</p>
${chapters.join("\n")}</main></body></html>`;
}

type Located = { path: string; method: string; operation: Operation };

function article({ path, method, operation }: Located): string {
  return `<details id="${operation.operationId}"><summary><span class="${method}">${method}</span>
<code>${safe(path)}</code> ${safe(operation.summary)}</summary><p>${prose(operation.description)}</p>
${parametersOf(operation.parameters)}${answersOf(operation)}</details>`;
}

function parametersOf(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, required, description = "", schema }) =>
      `<tr><td><code>${safe(name)}</code>${required ? "<sup>*</sup>" : ""}</td><td>${safe(kindOf(schema))}</td>` +
      `<td>${prose(description)}</td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>Type</th><th></th></tr>${rows.join("")}</table>`;
}

type Kind = { type?: string; enum?: string[]; minimum?: number; maximum?: number; example?: unknown };

function kindOf(schema: Kind): string {
  const kind = schema.enum ? schema.enum.join(" | ") : (schema.type ?? "string");
  const { minimum, maximum } = schema;
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < 1_000_000;
  const bounds = isBounded ? ` ${minimum}–${maximum}` : "";
  return `${kind}${bounds}${schema.example === undefined ? "" : `, e.g. ${String(schema.example)}`}`;
}

function answersOf({ responses }: Operation): string {
  const rows = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { example, examples }]) => {
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      return values.map(
        (value) => `<tr><td>${status}</td><td>${safe(type)}</td><td><pre>${safe(shown(value))}</pre></td></tr>`,
      );
    }),
  );
  return `<table><tr><th>Status</th><th>Content type</th><th>Body</th></tr>${rows.join("")}</table>`;
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function prose(text: string): string {
  return safe(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/\W+/g, "-");
}

function safe(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const style = `
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:0;display:flex}
nav{position:sticky;top:0;height:100vh;box-sizing:border-box;overflow:auto;min-width:13rem;padding:1.5rem;display:flex;
flex-direction:column;gap:.4rem;border-right:1px solid #8884}nav a{color:inherit;text-decoration:none}
main{padding:1rem 2rem 6rem;max-width:60rem;min-width:0}h2{margin-top:2.5rem}details{border:1px solid #8884;border-radius:6px;
margin:.5rem 0;padding:.5rem .8rem}summary{cursor:pointer}summary span{display:inline-block;min-width:4.5em;font-weight:600}
.GET{color:#0a7d3c}.POST{color:#1b62c4}.PATCH,.PUT{color:#a96300}.DELETE{color:#c2262e}table{border-collapse:collapse;
width:100%;margin:.8rem 0}td,th{border-bottom:1px solid #8883;padding:.3rem .6rem;text-align:left;vertical-align:top}
pre{margin:0;white-space:pre-wrap;word-break:break-word}code,pre{font:13px/1.45 ui-monospace,monospace}sup{color:#c2262e}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}}`;
