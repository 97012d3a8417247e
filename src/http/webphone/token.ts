// Who asks from a web phone: whoever has a token, shown in a header so that no log and no history keeps it.

import { Type } from "typebox";
import { userOfWebphoneToken, type WebphoneUser } from "../../store/webphone-tokens.ts";
import { type JsonAnswer, type RefusedAnswer, refuse } from "../door/answer.ts";
import type { Context, Parts } from "../door/context.ts";
import type { Declared, Endpoint } from "../door/endpoint.ts";
import type { Guard } from "../door/guard.ts";
import { tooMany } from "../door/guards.ts";

export type Visitor = WebphoneUser & { token: string };

export type WebphoneContext = Omit<Context, "tenant"> & Pick<Parts, "exchange" | "webLogins"> & { visitor: Visitor };

const TOKEN = /^W[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the page of the web phone asks; all that it says stands in the query. */
export function webphoneEndpoint(
  definition: Pick<Declared<"json">, "methods" | "paths" | "guards"> & {
    handle(query: URLSearchParams, context: WebphoneContext): Promise<JsonAnswer | RefusedAnswer>;
  },
): Endpoint {
  return { reply: "json", parameters: Type.Object({}), needs: ["exchange", "webLogins"], ...definition };
}

/** A guesser of tokens is slowed down like one of keys. */
export const token: Guard = {
  knows: "token",
  before: (_, door) => async (asked) => {
    const { db, clock } = door.services;
    const { headers, arrived } = asked.request;
    const token = /^bearer (\S{1,100})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    const user = isToken(token) ? await userOfWebphoneToken(db, token, clock.now()) : undefined;
    if (!user) return tooMany(door, "badToken", asked.address) ?? refuse(401, "invalid token");
    asked.tenant = { id: user.exchangeId };
    asked.who = token;
    asked.beside = { visitor: { ...user, token } };
    asked.parameters = new URLSearchParams(arrived.query);
    return undefined;
  },
};
