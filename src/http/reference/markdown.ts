// The reference as a page for people, in Markdown: what each operation takes, answers and refuses.

import type { OpenApi, Operation, Parameter } from "./openapi.ts";

export function markdownOf({ info, tags, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const chapters = tags.map(({ name }) => {
    const inside = operations.filter(({ operation }) => operation.tags[0] === name);
    return `## ${name}\n\n${groupBySummary(inside).map(section).join("\n\n")}`;
  });
  return [`# ${info.title}`, info.description.replaceAll(". ", ".\n"), ...chapters].join("\n\n").concat("\n");
}

type Located = { path: string; method: string; operation: Operation };

/** One operation may be reached in several ways; a reader wants to see it once. */
function groupBySummary(operations: readonly Located[]): Located[][] {
  const groups = new Map<string, Located[]>();
  for (const it of operations) groups.set(it.operation.summary, [...(groups.get(it.operation.summary) ?? []), it]);
  return [...groups.values()];
}

function section(ways: readonly Located[]): string {
  const [{ operation }] = ways as [Located]; // a group is made around its first member
  const parts = [
    `### ${operation.summary}`,
    ways.map(({ method, path }) => `\`${method} ${path}\``).join(", "),
    operation.description,
    table(operation.parameters),
    answers(operation),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function table(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map((parameter) => {
    const required = parameter.required ? "yes" : "";
    return `| \`${parameter.name}\` | ${typeOf(parameter.schema)} | ${required} | ${cell(parameter.description ?? "")} |`;
  });
  return ["| Parameter | Type | Required | |", "|---|---|---|---|", ...rows].join("\n");
}

type Described = {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: object;
};

function typeOf(schema: Described): string {
  if (schema.enum) return schema.enum.map((it) => `\`${it}\``).join(", ");
  if (schema.type === "array") return `list of ${typeOf((schema.items ?? {}) as Described)}`;
  const { minimum, maximum } = schema;
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < 1_000_000;
  const bounds = isBounded ? ` ${minimum}-${maximum}` : "";
  const byDefault = schema.default === undefined ? "" : `, ${schema.default} unless said`;
  return `${schema.type ?? "string"}${bounds}${byDefault}`;
}

function answers({ responses }: Operation): string {
  return Object.entries(responses)
    .flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([type, { example, examples }]) => {
        const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
        return values.filter((value) => value !== undefined).map((value) => `- ${status} ${type}: ${code(value)}`);
      }),
    )
    .join("\n");
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
