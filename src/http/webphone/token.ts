// Who asks from a web phone: whoever has a token, shown in a header so that no log and no history keeps it.

import { Type } from "typebox";
import { userOfWebphoneToken, type WebphoneUser } from "../../store/webphone-tokens.ts";
import { type JsonAnswer, type RefusedAnswer, refuse } from "../door/answer.ts";
import type { Context, Parts } from "../door/context.ts";
import type { Declared, Endpoint } from "../door/endpoint.ts";
import { andThen, type Guard } from "../door/guard.ts";
import { body, guessed } from "../door/guards.ts";
import type { Sent } from "../parameters/sent.ts";

export type Visitor = WebphoneUser & { token: string };

export type WebphoneContext = Omit<Context, "tenant"> & Pick<Parts, "exchange" | "webLogins"> & { visitor: Visitor };

const TOKEN = /^W[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the page of the web phone asks; what it says stands in the query, or in a body that is read like one. */
export function webphoneEndpoint(
  definition: Pick<Declared<"json">, "methods" | "paths" | "guards" | "longestBody"> & {
    handle(query: URLSearchParams, context: WebphoneContext): Promise<JsonAnswer | RefusedAnswer>;
  },
): Endpoint {
  return { reply: "json", parameters: Type.Object({}), needs: ["exchange", "webLogins"], ...definition };
}

/** A body that is too long for an address: its fields are added to those of the query. */
export const sentBody: Guard = {
  before: (operation, door) => {
    const read = body.before(operation, door);
    return (asked) =>
      andThen(read(asked), (no) => {
        if (no) return no;
        const query = new URLSearchParams();
        const sent = asked.parameters as Sent; // the guard of bodies made it
        for (const [name, values] of sent) query.set(name, String(values.at(-1) ?? ""));
        asked.parameters = query;
        return undefined;
      });
  },
};

/** A guesser of tokens is slowed down like one of keys. */
export const token: Guard = {
  knows: "token",
  before: (_, door) => async (asked) => {
    const { db, clock } = door.services;
    const { headers, arrived } = asked.request;
    const token = /^bearer (\S{1,100})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    const user = isToken(token) ? await userOfWebphoneToken(db, token, clock.wall()) : undefined;
    if (!user) return guessed(door, asked, "badToken", refuse({ refused: "bad-token" }));
    asked.tenant = { id: user.exchangeId };
    asked.who = token;
    asked.beside = { visitor: { ...user, token } };
    asked.parameters = new URLSearchParams(arrived.query);
    return undefined;
  },
};
