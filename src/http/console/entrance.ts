// Coming in by a password, and leaving.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Db } from "../../store/db.ts";
import { noteProven, noteSignIn, noteSignOut } from "../../store/sign-in-lines.ts";
import {
  beginSession,
  endSession,
  findSession,
  keepLogOutUrl,
  noteProof,
  readLogOutUrl,
} from "../../store/staff-sessions.ts";
import type { SignedIn } from "../../store/staff-sign-in.ts";
import type { RequestBodies } from "../door/request-body.ts";
import type { Gate } from "./gate.ts";
import { answer, bodyOf } from "./json.ts";
import { isOwnPage, sessionCookie, tokenIn } from "./session-cookie.ts";
import type { SignIn } from "./sign-ins.ts";

export type EntranceParts = {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  gate: Gate;
  bodies: RequestBodies;
  publicUrl: string | undefined;
};

export const LONGEST_SIGN_IN = 4_096;

export function mountSignIn(scope: FastifyInstance, parts: EntranceParts & { trySignIn: SignIn }): void {
  const { db, clock, secrets, gate, trySignIn, publicUrl } = parts;
  scope.post("/api/session.signIn", async (request, reply) => {
    if (!isOwnPage(request, publicUrl)) return answer(reply, { refused: "signed-out" });
    const { email, ...shown } = await credentialsIn(parts, request);
    const staff = await trySignIn({ email, ...shown }, gate(request.raw).address);
    if ("refused" in staff) return answer(reply, staff);
    await letIn(parts, staff, { request, reply });
    return answer(reply, {});
  });
  /** Whoever is signed in shows again who he is, in the same session. */
  scope.post("/api/session.prove", async (request, reply) => {
    const session = isOwnPage(request, publicUrl) && (await findSession(db, tokenIn(request), clock.wall()));
    if (!session) return answer(reply, { refused: "signed-out" });
    const { email: _email, ...shown } = await credentialsIn(parts, request);
    const { address } = gate(request.raw);
    const staff = await trySignIn({ email: session.email, ...shown }, address);
    if ("refused" in staff) return answer(reply, staff);
    await db.transaction(async (db) => {
      await noteProof(db, { ...session, nowMs: clock.wall() });
      await noteProven(db, { ...staff, address });
    });
    return answer(reply, {});
  });
  scope.post("/api/session.signOut", async (request, reply) => {
    if (!isOwnPage(request, publicUrl)) return answer(reply, { refused: "signed-out" });
    const session = await findSession(db, tokenIn(request), clock.wall());
    reply.header("set-cookie", sessionCookie("", { expires: new Date(0), secure: false }));
    if (!session) return answer(reply, {});
    const url = await readLogOutUrl(db, secrets, session);
    await db.transaction(async (db) => {
      await endSession(db, session.id, session.sessionId);
      await noteSignOut(db, { ...session, address: gate(request.raw).address });
    });
    // The session has ended here; there it ends when the page goes on to that address.
    return answer(reply, url === null ? {} : { url });
  });
}

async function credentialsIn(
  parts: EntranceParts,
  request: FastifyRequest,
): Promise<{ email: string; password: string; code: string }> {
  const bounds = { most: LONGEST_SIGN_IN, share: { stranger: parts.gate(request.raw).address } };
  const { value } = await bodyOf(parts, request, bounds);
  const sent = value as Record<string, unknown> | null | undefined;
  const text = (name: string) => String(sent?.[name] ?? "");
  return { email: text("email"), password: text("password"), code: text("code") };
}

type Coming = { request: FastifyRequest; reply: FastifyReply; logOutUrl?: string | null };

/** Whoever is known by now gets a session, and the trail its line. */
export async function letIn(
  { db, clock, secrets, gate, publicUrl }: EntranceParts,
  staff: SignedIn,
  { request, reply, logOutUrl = null }: Coming,
): Promise<void> {
  const { address } = gate(request.raw);
  const browser = request.headers["user-agent"] ?? "";
  const { token, expiresAt } = await db.transaction(async (db) => {
    await noteSignIn(db, { ...staff, address });
    const session = { staffId: staff.id, nowMs: clock.wall(), address, browser, door: staff.door };
    const begun = await beginSession(db, session);
    if (logOutUrl !== null)
      await keepLogOutUrl(db, secrets, { sessionId: begun.id, url: logOutUrl, exchangeId: staff.exchangeId });
    return begun;
  });
  const secure = publicUrl?.startsWith("https:") ?? false;
  reply.header("set-cookie", sessionCookie(token, { expires: expiresAt, secure }));
}
