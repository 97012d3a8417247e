// One row of the contract: what is sent, and exactly what comes back.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";

export type Row = {
  what: string;
  /** Method and path; the key is added to the query unless `key` says otherwise. */
  ask: string;
  key?: string | null;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** 200 unless said. */
  status?: number;
  /** The whole body, or a pattern for bodies that hold something random. */
  text?: string | RegExp;
  /** The whole body as JSON, key order included. */
  json?: unknown;
  /** A look at the parsed body where it is too long to repeat. */
  shows?: (body: never, world: World) => void;
  /** What must be true in the database or at a second request. */
  after?: (world: World) => Promise<void>;
};

export const form = { "content-type": "application/x-www-form-urlencoded" };
export const jsonType = { "content-type": "application/json" };

export async function play(row: Row, world: World): Promise<void> {
  const reply = await world.ask(row.ask, {
    ...(row.body === undefined ? {} : { body: row.body }),
    ...(row.key === undefined ? {} : { key: row.key }),
    headers: row.headers ?? {},
  });
  const isJson = row.json !== undefined || row.shows !== undefined;
  const said = { status: reply.status, type: reply.type, text: isJson ? "" : reply.text };
  const type = isJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8";
  const wanted = row.text instanceof RegExp ? expect.stringMatching(row.text) : (row.text ?? "");
  expect(said, reply.text).toEqual({ status: row.status ?? 200, type, text: wanted });
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  if (row.json !== undefined) expect(reply.text).toBe(JSON.stringify(row.json));
  // Each row's look declares the shape it reads; the wire itself has none.
  row.shows?.(JSON.parse(reply.text) as never, world);
  await row.after?.(world);
}
