// Coming in by the exchange's provider: the door that the page shows, the way there, and the way back.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { Log } from "../../log.ts";
import { personOf, wantedClaims } from "../../sso/person.ts";
import { comeBack, sendThere } from "../../sso/provider.ts";
import { SsoFailed, type SsoTrouble } from "../../sso/trouble.ts";
import { noteFailedSignIn } from "../../store/sign-in-lines.ts";
import {
  type Attempt,
  beginAttempt,
  findSignOnDoor,
  readClientSecret,
  readSingleSignOn,
  type SignOnRow,
  takeAttempt,
} from "../../store/single-sign-on.ts";
import { admit } from "../../store/sso-accounts.ts";
import type { Requester } from "../../webhooks/requester.ts";
import type { CountGuess } from "../door/rate-limit.ts";
import { type EntranceParts, letIn } from "./entrance.ts";
import { answer, bodyOf } from "./json.ts";
import { attemptCookie, attemptIn, isOwnPage } from "./session-cookie.ts";

export type SignOnParts = EntranceParts & {
  countGuess: CountGuess;
  log: Log;
  /** Without a running exchange nobody is asked. */
  requester: Requester | undefined;
};

const LONGEST = 1_024;
const LONGEST_QUERY = 8_192;
/** A page of the console and nothing else: whoever comes back goes nowhere a stranger has chosen. */
const BACK = "^(/[A-Za-z0-9_-]{1,60}){0,5}$";
const Begin = Type.Object({ back: Type.String({ pattern: BACK }), again: Type.Optional(Type.Boolean()) });

export function mountSignOn(scope: FastifyInstance, parts: SignOnParts): void {
  scope.post("/sso/door", (request, reply) => tellDoor(parts, request, reply));
  scope.post("/sso/:exchange/begin", (request, reply) => begin(parts, request, reply));
  scope.get("/sso/:exchange/callback", (request, reply) => finish(parts, request, reply));
}

async function tellDoor(parts: SignOnParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!isOwnPage(request, parts.publicUrl)) return answer(reply, { refused: "signed-out" });
  const asked = new URLSearchParams(request.arrived.query).get("exchange") ?? "";
  return answer(reply, await findSignOnDoor(parts.db, asked.slice(0, 255)));
}

/** Asked by the page itself, so that no other site can send anybody on his way. */
async function begin(parts: SignOnParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, clock, publicUrl } = parts;
  if (!isOwnPage(request, publicUrl)) return answer(reply, { refused: "signed-out" });
  const { address } = parts.gate(request.raw);
  const { value: sent } = await bodyOf(parts, request, { most: LONGEST, share: { stranger: address } });
  if (!Check(Begin, sent)) return answer(reply, { refused: "invalid", field: "back" });
  const waitMs = await parts.countGuess("signOn", address);
  if (waitMs > 0) return answer(reply, { refused: "too-many", seconds: Math.ceil(waitMs / 1_000) });
  const exchangeId = exchangeIn(request);
  try {
    const { row, open } = await providerOf(parts, exchangeId);
    const redirectUri = `${originOf(request, publicUrl)}/console/sso/${exchangeId}/callback`;
    const { url, marks } = await sendThere(open, redirectUri, sent);
    const attempt = { ...marks, redirectUri, issuer: row.issuer, back: sent.back, exchangeId };
    const { token, expires } = await beginAttempt(db, attempt, clock.wall());
    reply.header("set-cookie", attemptCookie(token, { expires, secure: isSecure(publicUrl) }));
    return answer(reply, { url });
  } catch (error) {
    return answer(reply, { refused: "sso", why: troubleOf(parts, exchangeId, error) });
  }
}

async function finish(parts: SignOnParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const exchangeId = exchangeIn(request);
  reply.header("set-cookie", attemptCookie("", { expires: new Date(0), secure: false }));
  reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  try {
    const attempt = await attemptOf(parts, request, exchangeId);
    const { staff, logOutUrl } = await recognise(parts, request, attempt);
    await letIn(parts, staff, { request, reply, logOutUrl });
    return reply.redirect(`/console${attempt.back}`, 303);
  } catch (error) {
    return reply.redirect(`/console?sso=${troubleOf(parts, exchangeId, error)}`, 303);
  }
}

/** Of this browser, of this exchange, once, and not too long ago. */
async function attemptOf(
  { db, clock, countGuess, gate }: SignOnParts,
  request: FastifyRequest,
  exchangeId: number,
): Promise<Attempt> {
  if ((await countGuess("signOn", gate(request.raw).address)) > 0) throw new SsoFailed("expired", "too often");
  const attempt = await takeAttempt(db, { token: attemptIn(request), nowMs: clock.wall(), exchangeId });
  if (!attempt) throw new SsoFailed("expired");
  return attempt;
}

async function recognise(parts: SignOnParts, request: FastifyRequest, attempt: Attempt) {
  const { db, clock } = parts;
  const { exchangeId, redirectUri, issuer } = attempt;
  const address = parts.gate(request.raw).address;
  const failed = (why: SsoTrouble, email = "") =>
    noteFailedSignIn(db, { door: "oidc", why, address, email, exchangeId });
  try {
    const { row, open } = await providerOf(parts, exchangeId);
    // Somebody has set another provider meanwhile: what comes back is not its.
    if (row.issuer !== issuer) throw new SsoFailed("expired", "another issuer");
    const { query } = request.arrived;
    if (query.length > LONGEST_QUERY) throw new SsoFailed("untrusted", "a long query");
    const after = `${new URL(redirectUri).origin}/console`;
    const came = await comeBack(open, { query, redirectUri, marks: attempt, wants: wantedClaims(row), after });
    const known = { ...personOf(came.claims, row), exchangeId };
    const staff = await admit(db, known, clock.wall());
    if (!("refused" in staff)) return { staff, logOutUrl: came.logOutUrl };
    await failed(staff.refused, staff.email);
    throw new Told(staff.refused);
  } catch (error) {
    if (error instanceof SsoFailed && !(error instanceof Told)) await failed(error.trouble);
    throw error;
  }
}

/** The trail has its line already. */
class Told extends SsoFailed {}

async function providerOf({ db, secrets, requester }: SignOnParts, exchangeId: number) {
  const row: SignOnRow | undefined = await readSingleSignOn(db, exchangeId);
  if (!row?.active || !requester) throw new SsoFailed("off");
  const secret = await readClientSecret(db, secrets, exchangeId);
  if (secret !== null && typeof secret !== "string") throw new SsoFailed("secret-unreadable");
  return { row, open: { requester, settings: row, secret } };
}

function troubleOf({ log }: SignOnParts, exchangeId: number, error: unknown): SsoTrouble {
  if (!(error instanceof SsoFailed)) throw error;
  log.info({ exchangeId, trouble: error.trouble, why: error.message }, "nobody came in by single sign-on");
  return error.trouble;
}

function exchangeIn(request: FastifyRequest): number {
  const { exchange } = request.params as { exchange: string };
  return /^\d{1,15}$/.test(exchange) ? Number(exchange) : 0;
}

/** As the browser sees us: the cookie that waits for the way back belongs to that name. */
function originOf({ headers: { host = "" } }: FastifyRequest, publicUrl: string | undefined): string {
  const text = publicUrl ?? `http://${host}`;
  if (!URL.canParse(text)) throw new SsoFailed("expired", "no host");
  return new URL(text).origin;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") ?? false;
}
