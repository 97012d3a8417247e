// What a request shows of whose it is: in its path, its query, its headers, or at last in its body.

import type { IncomingMessage } from "node:http";
import type { Shown } from "../../store/whose.ts";
import { tokenIn } from "../console/session-cookie.ts";
import { readBody } from "../parameters/body.ts";
import { readForm } from "../parameters/form.ts";
import { sentInHead } from "../parameters/head.ts";
import { isUnreadable, type Sent } from "../parameters/sent.ts";
import { tokenShown, WALL_LIVE } from "../wall/token.ts";

const TICKET = /^\/(?:recording|fax_document|phone_settings)\/([^/?]{1,100})$/;
/** Of one exchange, or of which is asked by its domain. */
const SIGN_ON = /^\/console\/sso\/(?:(\d{1,15})\/(?:begin|callback)|door)$/;
const KEY = /^K[0-9a-f-]{36}$/;
const PAGE = /^[0-9a-f]{64}$/;

/** The first that is there, without reading the body. */
export function shownBy({ url = "/", headers }: Pick<IncomingMessage, "url" | "headers">): Shown | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const ticket = TICKET.exec(path)?.[1];
  if (ticket !== undefined) return { by: "ticket", secret: ticket };
  if (path === WALL_LIVE) return { by: "wall", secret: tokenShown({ headers }) };
  const asked = sentIn(query);
  const authorization = headers.authorization ?? "";
  const bearer = /^bearer (\S{1,100})$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return { by: "token", secret: bearer };
  const door = SIGN_ON.exec(path);
  if (door)
    return door[1] ? { by: "exchange", id: Number(door[1]) } : { by: "domain", name: lastOf(asked, "exchange") ?? "" };
  if (path.startsWith("/console")) return ofConsole(headers, authorization);
  if (path === "/webphone") return ofPage(asked);
  return inFields(asked);
}

/** In a long one near its beginning. */
export function shownInBody(body: { whole: Buffer } | { head: Buffer }, contentType: string): Shown | undefined {
  const sent = "whole" in body ? readBody(body.whole, contentType) : sentInHead(body.head, contentType);
  return isUnreadable(sent) ? undefined : inFields(sent);
}

function ofConsole(headers: IncomingMessage["headers"], authorization: string): Shown | undefined {
  const token = tokenIn({ headers });
  if (token !== "") return { by: "session", secret: token };
  const basic = /^basic ([A-Za-z0-9+/=]{1,1000})$/i.exec(authorization)?.[1];
  const [email = ""] = Buffer.from(basic ?? "", "base64")
    .toString("utf8")
    .split(":");
  return email === "" ? undefined : { by: "email", name: email };
}

function ofPage(asked: Sent): Shown | undefined {
  const [token, page] = [lastOf(asked, "token"), lastOf(asked, "page")];
  if (token !== undefined) return { by: "token", secret: token };
  return page !== undefined && PAGE.test(page) ? { by: "page", hash: page } : undefined;
}

function inFields(sent: Sent): Shown | undefined {
  const [key, username, email] = [lastOf(sent, "key"), lastOf(sent, "username"), lastOf(sent, "email")];
  if (key !== undefined && KEY.test(key)) return { by: "key", secret: key };
  if (username !== undefined) return { by: "account", name: username };
  return email === undefined ? undefined : { by: "email", name: email };
}

function sentIn(query: string): Sent {
  const read = readForm(query);
  return isUnreadable(read) ? new Map() : read;
}

function lastOf(sent: Sent, name: string): string | undefined {
  const value = sent.get(name)?.findLast((it) => it !== "" && it !== null);
  return typeof value === "string" && !value.includes("\0") ? value : undefined;
}
