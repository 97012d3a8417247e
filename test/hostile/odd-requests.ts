// Requests to the doors of HTTP, made from the schemas that the reference is made of: with the right key, a wrong one or
// none, and parameters that are valid but for some odd ones, wherever a client may put them.

import type { Guard } from "../../src/http/door/guard.ts";
import { everyOperation } from "../../src/http/every-operation.ts";
import { NODE_HEADER } from "../../src/http/nodes/signature.ts";
import { candidatesFrom, ownCandidates } from "./candidates.ts";
import type { Parameters } from "./from-schema.ts";
import type { Furnished } from "./handles.ts";
import type { Random } from "./hostile.ts";
import { bodyFrom, oddParameters, oddText } from "./odd-values.ts";

export type OddRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whoever sends it has shown nothing that opens a door. */
  isStranger: boolean;
};

/** How somebody says who he is, and what is wrong with it. */
type Shown = {
  query: Record<string, string>;
  parameters: Parameters;
  headers: Record<string, string>;
  isStranger: boolean;
};

const nothingShown: Shown = { query: {}, parameters: {}, headers: {}, isStranger: true };

function show(knows: Guard["knows"], us: Furnished, random: Random): Shown {
  const isRight = random.chance(0.75);
  if (!isRight && random.chance(0.5)) return nothingShown;
  const odd = (right: string) => random.pick([`${right}x`, right.slice(1), right.slice(0, -1), "K", oddText(random)]);
  const said = (right: string) => (isRight ? right : odd(right));
  const shown = { ...nothingShown, isStranger: !isRight };
  if (knows === "account") return { ...shown, parameters: { username: us.username, password: said(us.smsPassword) } };
  if (knows === "token")
    return { ...shown, headers: { authorization: `Bearer ${said(us.webphoneToken).replace(/[^!-~]/g, "")}` } };
  return random.chance(0.7)
    ? { ...shown, query: { key: said(us.apiKey) } }
    : { ...shown, parameters: { key: said(us.apiKey) } };
}

/** What the web phone's requests may say; their schemas stand in no reference. */
const phoneTexts = [
  "wanted",
  "on",
  "call",
  "answers",
  "search",
  "description",
  "extension",
  "number",
  "request",
  "language",
  "id",
];

export function oddRequest(random: Random, us: Furnished, theirs: Furnished): OddRequest {
  if (random.chance(0.03)) return oddPage(random);
  const { methods, paths, guards, parameters: schema } = random.pick(everyOperation);
  const method: string = random.pick(methods);
  const knows = guards.find((it) => it.knows)?.knows;
  const shown = show(knows, us, random);
  const own = ownCandidates(us, method === "POST" ? "thing.create" : "thing.change")();
  const wanted = oddParameters(schema, random, { own, foreign: candidatesFrom(theirs) });
  if (knows === "token") for (const name of phoneTexts) if (random.chance(0.3)) wanted[name] = oddText(random);
  const parameters = { ...wanted, ...shown.parameters };
  const path = random.pick(paths).replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
    const value = name === undefined ? oddText(random) : parameters[name];
    if (name !== undefined) delete parameters[name];
    return written(random.chance(0.9) ? value : oddText(random)).slice(0, 3_000);
  });
  const placed = place(parameters, random, method);
  const query = new URLSearchParams([...Object.entries(shown.query), ...placed.query]);
  const headers = { ...placed.headers, ...shown.headers };
  const isStranger = shown.isStranger && knows !== "ticket";
  return {
    method,
    path: `${path}?${query}`,
    headers,
    isStranger,
    ...(placed.body === undefined ? {} : { body: placed.body }),
  };
}

type Placed = { query: [string, string][]; headers: Record<string, string>; body?: string };

/** In the query, a form, JSON or a multipart form; now and then called something else than it is. */
function place(parameters: Parameters, random: Random, method: string): Placed {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 500) : [value]).map((one): [string, string] => [name, plain(one)]),
  );
  const kind = method === "GET" || method === "HEAD" || method === "DELETE" ? random.below(2) : random.below(6);
  if (kind < 2) return { query: pairs.map(([name, value]) => [name, value.slice(0, 8_000)]), headers: {} };
  const named = (type: string) => ({ "content-type": random.chance(0.95) ? type : "text/odd" });
  if (kind === 2)
    return {
      query: [],
      headers: named("application/x-www-form-urlencoded"),
      body: new URLSearchParams(pairs).toString(),
    };
  if (kind === 3) {
    const parts = pairs.map(
      ([name, value]) => `--XX\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return { query: [], headers: named("multipart/form-data; boundary=XX"), body: `${parts.join("")}--XX--\r\n` };
  }
  return { query: [], headers: named("application/json"), body: bodyFrom(parameters, random) };
}

const plain = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
const written = (value: unknown): string => encodeURIComponent(plain(value).replace(/\p{Surrogate}/gu, "?"));

/** Doors of other nodes, and pages that everybody may see. */
function oddPage(random: Random): OddRequest {
  const query = new URLSearchParams({ pool: oddText(random), domain: oddText(random), exchange: oddText(random) });
  const path = random.pick([
    "/nodes/ping",
    "/nodes/owner",
    "/nodes/guess",
    "/docs",
    "/openapi.json",
    "/client.ts",
    "/",
  ]);
  const now = String(Date.now());
  const line = random.pick([
    `one ${now} x y z`,
    `one ${now} x`,
    "     ",
    "%",
    `one NaN x %zz ${"A".repeat(43)}`,
    "a".repeat(5_000),
  ]);
  const method = random.pick(["GET", "POST", "PUT", "OPTIONS"]);
  const headers = random.chance(0.7)
    ? { [NODE_HEADER]: line }
    : { authorization: `Bearer ${"x".repeat(random.below(200))}` };
  return {
    method,
    path: `${path}?${query}`,
    headers: headers as Record<string, string>,
    isStranger: path.startsWith("/nodes"),
  };
}
