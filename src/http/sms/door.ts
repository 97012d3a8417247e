// The SMS API's way in, at /v2: who asks, from where, how often, with what. Only then does an operation see it.

import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Database } from "../../store/db.ts";
import { logIn, type SmsAccount } from "../../store/sms-accounts.ts";
import { isCampaign } from "../../store/sms-status.ts";
import { type Answer, type RefusedAnswer, refuse, send } from "../door/answer.ts";
import type { ClientAddress } from "../door/client-address.ts";
import type { Method } from "../door/endpoint.ts";
import type { Pool, RateLimit } from "../door/rate-limit.ts";
import type { ReadRequestBody } from "../door/request-body.ts";
import type { WireRefusal } from "../door/wire-words.ts";
import { readBody } from "../parameters/body.ts";
import { readForm } from "../parameters/form.ts";
import { isUnreadable, type Sent } from "../parameters/sent.ts";
import { type Asked, text } from "./asked.ts";
import { mendRawQueries } from "./raw-query.ts";

export type SmsEndpoint = {
  method: Method;
  path: string;
  pool: Extract<Pool, "smsSend" | "smsOther">;
  group: "SMS";
  summary: string;
  /** For the reference; what is sent is read leniently by name. */
  parameters: TObject;
  example: unknown;
  refusals?: readonly WireRefusal[];
  /** A URL longer than this is refused with 414. */
  longestUrl?: number;
  handle(asked: Asked): Promise<Answer>;
};

export type SmsDoor = {
  db: Database;
  clock: Clock;
  log: Log;
  limit: RateLimit;
  clientAddress: ClientAddress;
  readRequestBody: ReadRequestBody;
};

const LONGEST_BODY = 10 * 1024 * 1024;

export function smsDoor(endpoints: readonly SmsEndpoint[], door: SmsDoor) {
  return async (server: FastifyInstance): Promise<void> => {
    for (const endpoint of endpoints)
      server.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: async (request, reply) => send(reply, await answer(request, endpoint, door)),
      });
    refuseOtherMethods(server, endpoints);
    mendRawQueries(server);
  };
}

async function answer(request: FastifyRequest, endpoint: SmsEndpoint, door: SmsDoor): Promise<Answer> {
  const { db, clock } = door;
  if (endpoint.longestUrl !== undefined && (request.raw.url ?? "").length > endpoint.longestUrl)
    return refuse({ refused: "http", status: 414 });
  const sent = await readParameters(request, door);
  if ("says" in sent) return sent;
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) sent.set(name, [value]);
  const account = await admit(request, { ...door, endpoint }, sent);
  if ("says" in account) return account;
  const isAnybodysCampaign = (id: number) => isCampaign(db, id);
  return endpoint.handle({ db: db.forExchange(account.exchangeId), clock, account, sent, isAnybodysCampaign });
}

async function readParameters(request: FastifyRequest, { readRequestBody }: SmsDoor): Promise<Sent | RefusedAnswer> {
  const query = readForm(request.arrived.query);
  if (isUnreadable(query)) return refuse({ refused: "unreadable", what: query.unreadable });
  const read = await readRequestBody(request.raw, LONGEST_BODY);
  if ("failed" in read) return bodyFailures[read.failed];
  if (read.body.length === 0) return query;
  const body = readBody(read.body, request.arrived.contentType);
  if (isUnreadable(body)) return refuse({ refused: "unreadable", what: body.unreadable });
  for (const [name, values] of body) query.set(name, values);
  return query;
}

const bodyFailures = {
  "too-large": refuse({ refused: "http", status: 413 }),
  gone: refuse({ refused: "http", status: 400 }),
  busy: refuse({ refused: "busy", seconds: 5 }),
};

type Gate = SmsDoor & { endpoint: SmsEndpoint };

async function admit(request: FastifyRequest, gate: Gate, sent: Sent): Promise<SmsAccount | RefusedAnswer> {
  const address = gate.clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
  const account = await logIn(gate.db, text(sent, "username") ?? "", text(sent, "password") ?? "");
  if (!account) return tooMany(gate, "badKey", address) ?? refuse({ refused: "bad-login" });
  if (account.allowedAddresses.length === 0) return refuse({ refused: "no-addresses" });
  if (!isAllowed(address, account.allowedAddresses)) return refuse({ refused: "address-not-allowed" });
  return tooMany(gate, gate.endpoint.pool, `${account.id} ${address}`) ?? account;
}

function isAllowed(address: string, networks: readonly string[]): boolean {
  if (!isIP(address)) return false;
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = "", bits = ""] = network.split("/"); // the database wrote it, so it is a network
    allowed.addSubnet(base, Number(bits), isIP(base) === 6 ? "ipv6" : "ipv4");
  }
  return allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function tooMany({ limit }: Gate, pool: Pool, who: string): RefusedAnswer | undefined {
  const waitMs = limit.take(pool, who);
  if (waitMs <= 0) return undefined;
  return refuse({ refused: "too-many", seconds: Math.ceil(waitMs / 1_000) });
}

const METHODS: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

function refuseOtherMethods(server: FastifyInstance, endpoints: readonly SmsEndpoint[]): void {
  for (const path of new Set(endpoints.map(({ path }) => path))) {
    const known = endpoints.flatMap((endpoint) => (endpoint.path === path ? endpoint.method : []));
    server.route({
      method: [...METHODS.filter((method) => !known.includes(method)), "OPTIONS"],
      url: path,
      handler: (_request, reply) =>
        void send(reply.header("allow", known.join(", ")), refuse({ refused: "http", status: 405 })),
    });
  }
}
