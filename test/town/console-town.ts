// A console over a fresh database: staff who sign in, and the words to ask for its operations as the browser does.

import { realClock } from "../../src/clock.ts";
import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { ConsoleFrom } from "../../src/http/console/gate.ts";
import type { Gives, Takes } from "../../src/http/console/operation/operation.ts";
import type { HttpServerOptions } from "../../src/http/server.ts";
import type { StaffRole } from "../../src/nouns/role.ts";
import { sql } from "../../src/store/sql.ts";
import { hashPassword } from "../../src/store/staff-password.ts";
import { beginSession } from "../../src/store/staff-sessions.ts";
import { secrets } from "../ground/secrets.ts";
import { httpTown } from "./http-town.ts";

export const PASSWORD = "a staff member's password";

export type Refused = { status: number; refused: string };

export type Visitor = {
  ask<Name extends keyof ConsoleApi>(name: Name, parameters: Takes<ConsoleApi, Name>): Promise<Gives<ConsoleApi, Name>>;
  /** The same where a "no" is expected. */
  refused<Name extends keyof ConsoleApi>(name: Name, parameters: Takes<ConsoleApi, Name>): Promise<Refused>;
  signIn(credentials: { email: string; password: string; code?: string }): Promise<Response>;
  signOut(): Promise<Response>;
  get(path: string, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  cookie(): string;
};

export async function consoleTown(options: Partial<HttpServerOptions> & { from?: ConsoleFrom } = {}) {
  const { from = [], ...rest } = options;
  const town = await httpTown({ console: { from, pages: undefined, running: undefined, secrets }, ...rest });
  const visitor = (cookie = "") => visitorAt(`http://${town.server.address}`, cookie);
  const hash = hashPassword(PASSWORD); // dear, so once for all of them
  let made = 0;

  /** A new member of staff, signed in. */
  async function member(role: StaffRole, exchangeId = town.ours.id): Promise<Visitor & { email: string; id: number }> {
    const email = `${role}-${made++}@example.com`;
    const [row] = await town.db.query<{ id: number }>(
      sql`insert into staff (exchange_id, name, email, role, password_hash) values ($1, $2, $3, $4, $5) returning id`,
      [exchangeId, role, email, role, await hash],
    );
    const { id } = row!; // an insert without a condition returns its row
    const session = { staffId: id, nowMs: realClock.wall(), address: "127.0.0.1", browser: "test" };
    const { token } = await beginSession(town.db, session);
    return { ...visitor(`santral_session=${token}`), email, id };
  }

  return { ...town, visitor, member };
}

export function visitorAt(base: string, held = ""): Visitor {
  let cookie = held;
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-santral-console": "1", cookie, ...headers },
      body: JSON.stringify(body),
    });
    const given = response.headers.get("set-cookie");
    if (given) cookie = given.split(";")[0] ?? "";
    return response;
  };
  return {
    post,
    cookie: () => cookie,
    get: (path, headers = {}, signal) =>
      fetch(base + path, { headers: { cookie, ...headers }, redirect: "manual", ...(signal && { signal }) }),
    signIn: (credentials) => post("/console/api/session.signIn", credentials),
    signOut: () => post("/console/api/session.signOut", {}),
    async ask(name, parameters) {
      const response = await post(`/console/api/${name}`, parameters);
      const reply = await response.json();
      if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(reply)}`);
      return reply as never; // typed by the operation's own handler
    },
    async refused(name, parameters) {
      const response = await post(`/console/api/${name}`, parameters);
      return { status: response.status, ...((await response.json()) as { refused: string }) };
    },
  };
}
