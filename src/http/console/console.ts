// The console's door: the gate, signing in, the operations by name, sound files, the live board and the pages.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FaxOffice } from "../../exchange/features/faxes/fax-office.ts";
import { ReadingFailed } from "../../readers/task.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { audited } from "../../store/audited.ts";
import type { RequestLimit } from "../../store/limit.ts";
import { scopeOf } from "../../store/scope.ts";
import { findSession, isFresh, type StaffSession } from "../../store/staff-sessions.ts";
import type { SignedIn } from "../../store/staff-sign-in.ts";
import type { ClientAddress } from "../door/client-address.ts";
import { contextOf, type Services } from "../door/context.ts";
import type { CountGuess } from "../door/rate-limit.ts";
import type { RequestBodies } from "../door/request-body.ts";
import { TOO_LATE, timeRequest } from "../door/request-limit.ts";
import { isStorable } from "../parameters/text.ts";
import { consoleApi } from "./api.ts";
import { mountBackups } from "./backup-file.ts";
import { mountSignIn } from "./entrance.ts";
import { mountFaxes } from "./fax-files.ts";
import { mountFiles } from "./files.ts";
import { notedBeside } from "./former-values.ts";
import { type ConsoleFrom, openGate } from "./gate.ts";
import { answer, bodyOf } from "./json.ts";
import { openLedger } from "./ledger.ts";
import { attachLive } from "./live.ts";
import { comesFirst } from "./operation/comes-first.ts";
import { misfitsIn } from "./operation/misfits.ts";
import type { NodeOffice } from "./operation/node-office.ts";
import { strayIn } from "./operation/one-line.ts";
import { type ConsoleContext, mayAsk, type Operation, type Running } from "./operation/operation.ts";
import { type ConsoleRefusal, isRefused } from "./operation/refusal.ts";
import type { SystemOffice } from "./operation/system-office.ts";
import { allOf } from "./operations/checked-changes.ts";
import { openPasswords, type PasswordsOf } from "./own-passwords.ts";
import { mountPages } from "./pages.ts";
import { panelStream } from "./panel-stream.ts";
import { mountScreenPops } from "./screen-pops.ts";
import { isOwnPage, tokenIn } from "./session-cookie.ts";
import { openPlaces, openSignIns } from "./sign-ins.ts";
import { mountSignOn } from "./sign-on.ts";
import { openStaffDoor } from "./staff-door.ts";

export type ConsoleOptions = {
  from: ConsoleFrom;
  /** The folder of the built pages. */
  pages: string | undefined;
  running: Running | undefined;
  secrets: Secrets;
  /** Where several servers share the exchanges, and somebody is let in to see them. */
  nodes?: NodeOffice | undefined;
  /** The machine, where this is a whole server. */
  system?: SystemOffice | undefined;
  /** A mail server is set. */
  sendsMail?: boolean | undefined;
};

export type ConsoleParts = ConsoleOptions & {
  services: Services;
  faxes: FaxOffice | undefined;
  clientAddress: ClientAddress;
  countGuess: CountGuess;
  bodies: RequestBodies;
  publicUrl: string | undefined;
  /** How long a request may take. */
  requestMs: number;
};

const needs = Object.fromEntries(Object.entries(consoleApi).map(([name, { right }]) => [name, right]));
const LONGEST_BODY = 1024 * 1024;
/** No page of others holds ours, in a frame, by a picture or by a window that it opened. */
const ownOnly = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const NOT_OPEN = "The console is not open to this address. See SANTRAL_CONSOLE_FROM.";

export async function mountConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { running, publicUrl, secrets, countGuess } = parts;
  const { db, clock, log } = parts.services;
  const known = { db, secrets, clock, countGuess, clientAddress: parts.clientAddress, places: openPlaces() };
  const trySignIn = openSignIns(known, "signIn");
  const gate = openGate(parts.from, parts.clientAddress);
  const sessionOf = (request: { headers: FastifyRequest["headers"] }) =>
    findSession(db, tokenIn(request), clock.wall());
  const sees = (staff: SignedIn) => scopeOf(db.forExchange(staff.exchangeId), staff);
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request, reply) => {
        reply.headers(ownOnly);
        if (!gate(request.raw).admitted) return reply.code(403).type("text/plain; charset=utf-8").send(NOT_OPEN);
        // A name in the path that no table can hold, nor any file: nothing is called so.
        if (!Object.values(request.params as Record<string, string>).every(isStorable)) return reply.callNotFound();
      });
      const entrance = { ...parts, gate, db, clock };
      mountSignIn(scope, { ...entrance, trySignIn });
      mountSignOn(scope, { ...entrance, log, requester: running?.requester });
      mountOperations(scope, { ...parts, passwordsOf: openPasswords(trySignIn) }, sessionOf);
      mountFiles(scope, parts.services, sessionOf);
      mountFaxes(scope, parts.services, { faxes: parts.faxes, sessionOf });
      if (parts.system) mountBackups(scope, parts.system, sessionOf);
      if (running)
        await scope.register(
          panelStream({ panel: running.panel, clock, log, scopeOf: sees, door: openStaffDoor(known) }),
        );
      mountScreenPops(scope, { db, sessionOf });
      mountPages(scope, parts.pages);
    },
    { prefix: "/console" },
  );
  // Whoever types the address into a browser wants the console; programs are answered as ever.
  app.get("/", { exposeHeadRoute: false }, (request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? "") && gate(request.raw).admitted) reply.redirect("/console");
    else reply.callNotFound();
  });
  if (running) attachLive(app, { gate, sessionOf, scopeOf: sees, clock, log, panel: running.panel, publicUrl });
}

type SessionOf = (request: FastifyRequest) => Promise<StaffSession | undefined>;

type Name = keyof typeof consoleApi;

type OperationParts = ConsoleParts & { passwordsOf: PasswordsOf };

function mountOperations(scope: FastifyInstance, parts: OperationParts, sessionOf: SessionOf): void {
  for (const [name, entry] of Object.entries(consoleApi) as [Name, unknown][]) {
    const operation = entry as Operation; // the table forgets which parameters belong to which handler
    scope.post(`/api/${name}`, async (request, reply) => {
      const limit = timeRequest(parts.services.clock, parts.requestMs, () => request.socket.destroyed);
      const asked = ask(name, operation, request, limit).finally(() => parts.bodies.done(request.raw));
      const said = await limit.answeredBy(asked);
      return answer(reply, said === TOO_LATE ? TOO_LATE.refusal : said);
    });
  }

  async function ask(name: Name, operation: Operation, request: FastifyRequest, limit: RequestLimit): Promise<unknown> {
    const staff = isOwnPage(request, parts.publicUrl) ? await sessionOf(request) : undefined;
    const refusal = refusalFor(operation, staff, parts.services.clock.wall());
    if (!staff || refusal) return refusal ?? { refused: "signed-out" };
    const { longestBody = LONGEST_BODY, carries } = operation;
    const bounds = { most: longestBody, share: { exchange: staff.exchangeId }, carries };
    const reading = { bodies: parts.bodies, readers: parts.services.readers };
    const sent = await limit.hold(bodyOf(reading, request, bounds)).catch(refusedReading);
    if (isRefused(sent)) return sent;
    if (limit.leftMs() <= 0) return TOO_LATE.refusal;
    const scope = await scopeOf(parts.services.db.forExchange(staff.exchangeId), staff);
    const { value, uploaded } = sent;
    return perform(name, operation, value, { ...contextFor(parts, request, staff, limit), scope, uploaded });
  }
}

const PROVE: ConsoleRefusal = { refused: "prove-yourself" };

function refusalFor(operation: Operation, staff: StaffSession | undefined, nowMs: number): ConsoleRefusal | undefined {
  if (!staff) return { refused: "signed-out" };
  const first = comesFirst(staff);
  if (first && !operation.always && operation.settles !== first) return { refused: first };
  if (!mayAsk(staff, operation)) return { refused: "not-your-role", needs: operation.right };
  return operation.fresh === true && !isFresh(staff, nowMs) ? PROVE : undefined;
}

async function perform(name: Name, operation: Operation, sent: unknown, context: Asking): Promise<unknown> {
  const { parameters: schema } = operation;
  const misfits = misfitsIn(schema, sent);
  if (misfits.length > 0) return allOf(misfits.map((misfit) => ({ refused: "invalid", ...misfit })));
  const stray = strayIn(schema, sent);
  if (stray !== undefined) return { refused: "invalid", field: stray.slice(0, 100), fault: { is: "oneLine" } };
  if (await opensMore(operation, sent, context)) return PROVE;
  const reply = await carryOut(name, operation, sent as Record<string, unknown>, context).catch(complaintAboutValues);
  return reply ?? {};
}

/** Of an operation that asks by what is wanted of it. */
async function opensMore({ fresh }: Operation, sent: unknown, context: Asking): Promise<boolean> {
  if (!fresh || fresh === true || isFresh(context.staff, context.clock.wall())) return false;
  return fresh.when(sent as never, context); // its schema has been checked
}

function refusedReading(error: unknown): ConsoleRefusal {
  if (!(error instanceof ReadingFailed)) throw error;
  return error.why === "too-much" ? { refused: "invalid", field: "" } : { refused: "given-up", seconds: 5 };
}

async function carryOut(
  did: Name,
  operation: Operation,
  sent: Record<string, unknown>,
  context: Asking,
): Promise<unknown> {
  const { reads, hides = [], apart } = operation;
  const handle = (context: ConsoleContext) => operation.handle(sent as never, context);
  if (reads) return handle({ ...context, record: nothingToRecord });
  const { exchangeId, email: who } = context.staff;
  const told = operation.told?.(sent as never, context) ?? sent;
  const details = audited({ ...told, ...(await notedBeside(did, operation, sent, context)) }, hides);
  const ledger = openLedger(context, { exchangeId, doer: "staff", who, did, details });
  if (!apart) return ledger.record(handle);
  const reply = await handle({ ...context, record: ledger.record });
  if (!isRefused(reply)) await ledger.note();
  return reply;
}

const nothingToRecord = () => Promise.reject(new Error("what only reads has nothing to record"));

/** What the columns do not take: a network with stray bits, a date that no calendar has. Everything else is our mistake. */
function complaintAboutValues(error: unknown): ConsoleRefusal {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^22|^23514$/.test(code)) throw error;
  return { refused: "invalid", field: "" };
}

/** Whoever asks, before it is known how his change is recorded. */
type Asking = Omit<ConsoleContext, "record">;

function contextFor(
  parts: OperationParts,
  request: FastifyRequest,
  staff: StaffSession,
  limit: RequestLimit,
): Omit<Asking, "scope" | "uploaded"> {
  const { method, headers, socket: line } = request;
  const clientAddress = parts.clientAddress(line.remoteAddress, headers["x-forwarded-for"]);
  const tenant = { id: staff.exchangeId, sipDomain: staff.sipDomain, timeZone: staff.timeZone };
  const asked = { tenant, clientAddress, method, accept: "", line, limit };
  const { running, faxes, secrets, system, publicUrl, sendsMail = false } = parts;
  const nodes = parts.nodes?.operators === staff.exchangeId ? parts.nodes : undefined;
  const given = { running, faxes, nodes, system, secrets, publicUrl, sendsMail };
  const passwords = parts.passwordsOf(staff, clientAddress);
  return { ...contextOf(parts.services, asked), staff, passwords, needs, ...given };
}
