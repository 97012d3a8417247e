// What the exchange opens with its calls, for a frame on an agent's desk. A page of its own around it: only here, only for
// who works at a desk, and only from the one place that is set does anything from elsewhere come into the console.

import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { originOfLink } from "../../nouns/link.ts";
import { hasRight } from "../../nouns/role.ts";
import { deskSettings } from "../../store/agent-desk.ts";
import type { Database } from "../../store/db.ts";
import { refuse, send } from "../door/answer.ts";
import { comesFirst } from "./operation/comes-first.ts";
import type { SessionOf } from "./tables.ts";

const LONGEST_LINK = 4_000;

export function mountScreenPops(
  scope: FastifyInstance,
  { db, sessionOf }: { db: Database; sessionOf: SessionOf },
): void {
  scope.get("/pop", async (request, reply) => {
    const staff = await sessionOf(request);
    if (!staff || comesFirst(staff)) return send(reply, refuse({ refused: "http", status: 401 }));
    if (!hasRight(staff, "desk")) return send(reply, refuse({ refused: "http", status: 403 }));
    const link = new URLSearchParams(request.arrived.query).get("link") ?? "";
    const { pop, popIn } = await deskSettings(db.forExchange(staff.exchangeId), staff.exchangeId);
    const origin = popIn === "frame" && pop !== null ? originOfLink(pop) : undefined;
    const wanted = link.length <= LONGEST_LINK ? URL.parse(link) : null;
    if (origin === undefined || wanted?.origin !== origin) return send(reply, refuse({ refused: "http", status: 404 }));
    const nonce = randomBytes(16).toString("base64");
    return reply
      .headers({ "content-security-policy": policy(origin, nonce), "x-frame-options": "SAMEORIGIN" })
      .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
      .type("text/html; charset=utf-8")
      .send(around(wanted.href, nonce));
  });
}

function policy(origin: string, nonce: string): string {
  return `default-src 'none'; frame-src ${origin}; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'self'`;
}

/** `href` as a parser has printed it, and its quotation marks and angles are no marks here. */
function around(href: string, nonce: string): string {
  const safe = href.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><title>CRM</title>
<style nonce="${nonce}">html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style>
<iframe title="CRM" src="${safe}" sandbox="allow-scripts allow-forms allow-same-origin allow-popups"></iframe></html>`;
}
