// The front of one node among several: whatever is asked, the exchange it is asked of is found, and where that lives
// elsewhere the request goes there and the answer comes back.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Db } from "../../store/db.ts";
import { whoseIs } from "../../store/whose.ts";
import { refuse, send } from "../door/answer.ts";
import type { ClientAddress } from "../door/client-address.ts";
import type { CountGuess, RateLimit } from "../door/rate-limit.ts";
import { hasBody, type RequestBodies } from "../door/request-body.ts";
import { closeWith } from "../door/upgrades.ts";
import type { NodeFacts } from "./ask-node.ts";
import { openDoorkeeper } from "./doorkeeper.ts";
import { type PassedOn, passOn, passUpgrade } from "./pass-on.ts";
import { mountQuestions, type NodeMap, notForYou } from "./questions.ts";
import { shownBy, shownInBody } from "./shown.ts";
import { NODE_HEADER, openSignatures, type Passed, type Signatures } from "./signature.ts";
import { type Waiter, WaitingRoom } from "./waiting-room.ts";

export type FrontParts = {
  map: NodeMap;
  /** Sees every exchange, and writes nothing. */
  db: Db;
  secret: string;
  /** What this node says of itself to the others. */
  facts(): NodeFacts;
  /** Bytes of the longest body that is read to learn whose request it is; 0: it is nobody's. */
  longestBody(asked: { method: string; route: string | undefined }): number;
  /** A file of ours that is the same at every node that has it. */
  isOwnFile(url: string): boolean;
  limit: RateLimit;
  clock: Clock;
  log: Log;
  clientAddress: ClientAddress;
  bodies: RequestBodies;
  shownWithin: number;
};

/** A node that cannot be connected to is tried again after this. */
const UNREACHED_MS = 500;
const COME_AGAIN = refuse({ refused: "busy", seconds: 2 });
/** Of the process and not of an exchange. */
const OWN_PATHS = /^\/(?:healthz|readyz|metrics|nodes\/|docs)/;

export type NodeFront = { plugin: (app: FastifyInstance) => Promise<void>; countGuess: CountGuess };

export function nodeFront(parts: FrontParts): NodeFront {
  const signatures = openSignatures(parts.secret, parts.clock);
  const front = new Front(parts, signatures);
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", (request, reply) => front.receive(request, reply));
    app.screenUpgrade((request, socket, head) => front.screen(request, socket, head));
    mountQuestions(app, { ...parts, isSigned: (raw) => front.isSigned(raw) });
  };
  return {
    // Fastify gives a plugin its own scope; the hook must see the requests of every door.
    plugin: Object.assign(plugin, { [Symbol.for("skip-override")]: true }),
    countGuess: openDoorkeeper({ ...parts, signatures }),
  };
}

/** What is known of a request; `passed`: by which node, if it did not come here first. */
type Led = Waiter & { passed: Passed | undefined };

type Found = { exchangeId: number | undefined; body?: Buffer };

class Front {
  readonly #parts: FrontParts;
  readonly #signatures: Signatures;
  readonly #room: WaitingRoom;
  /** Requests whose signature was good. */
  readonly #signed = new WeakSet<IncomingMessage>();

  constructor(parts: FrontParts, signatures: Signatures) {
    this.#parts = parts;
    this.#signatures = signatures;
    this.#room = new WaitingRoom(parts.clock);
  }

  isSigned(raw: IncomingMessage): boolean {
    return this.#signed.has(raw);
  }

  async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const passed = this.#comesFrom(request.raw, request.originalUrl);
    if (passed === "forged") return notForYou(reply);
    if (OWN_PATHS.test(request.originalUrl) || this.#parts.isOwnFile(request.originalUrl)) return undefined;
    if (!this.#parts.map.acts()) return send(reply, COME_AGAIN);
    const { exchangeId, body } = await this.#exchangeOf(request);
    if (exchangeId === undefined) return undefined;
    const isGone = () => request.raw.socket.destroyed;
    return this.#lead(request, reply, { exchangeId, bytes: body?.length ?? 0, isGone, passed }, body);
  }

  /** Whether it is somebody else's from now on. */
  async screen(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
    const { map, clientAddress } = this.#parts;
    const url = request.url ?? "/";
    const passed = this.#comesFrom(request, url);
    if (passed === "forged" || !map.acts()) {
      closeWith(socket, passed === "forged" ? "403 Forbidden" : "503 Service Unavailable");
      return true;
    }
    const exchangeId = await this.#exchangeOfUpgrade(request);
    if (exchangeId === undefined) return false;
    const address = clientAddress((socket as Socket).remoteAddress, request.headers["x-forwarded-for"]);
    const line = { method: request.method ?? "GET", url };
    const isGone = () => socket.destroyed;
    const came = await this.#goThere({ exchangeId, bytes: 0, isGone, passed }, (there) => {
      const signature = this.#signatures.sign({ node: map.name, address }, line);
      return passUpgrade(request, socket, head, { url: there, body: undefined, signature });
    });
    if (came === "nowhere") closeWith(socket, "503 Service Unavailable");
    return came !== "here";
  }

  /** A node that is signed for is the client from here on: gates, limits and the audit trail see whom it saw. */
  #comesFrom(raw: IncomingMessage, url: string): Passed | "forged" | undefined {
    const header = raw.headers[NODE_HEADER];
    if (header === undefined) return undefined;
    const passed = this.#signatures.verify(String(header), { method: raw.method ?? "", url });
    if (!passed) return "forged";
    this.#signed.add(raw);
    Object.defineProperty(raw.socket, "remoteAddress", { value: passed.address, configurable: true });
    return passed;
  }

  async #exchangeOf({ raw, arrived, method, routeOptions }: FastifyRequest): Promise<Found> {
    const { db, bodies, shownWithin, longestBody, clientAddress } = this.#parts;
    const shown = shownBy(raw);
    if (shown) return { exchangeId: await whoseIs(db, shown) };
    const longest = hasBody(raw) ? longestBody({ method, route: routeOptions.url }) : 0;
    if (longest === 0) return { exchangeId: undefined };
    const stranger = clientAddress(raw.socket.remoteAddress, raw.headers["x-forwarded-for"]);
    const begun = await bodies.begin(raw, Math.min(longest, shownWithin), { stranger });
    if ("failed" in begun) return { exchangeId: undefined };
    const inside = shownInBody(begun, arrived.contentType);
    const exchangeId = inside && (await whoseIs(db, inside));
    return "whole" in begun ? { exchangeId, body: begun.whole } : { exchangeId };
  }

  async #exchangeOfUpgrade(request: IncomingMessage): Promise<number | undefined> {
    const domain = new URLSearchParams((request.url ?? "").split("?")[1] ?? "").get("domain");
    if (domain !== null) return this.#parts.map.exchangeOf(domain);
    const shown = shownBy(request);
    return shown && whoseIs(this.#parts.db, shown);
  }

  async #lead(
    request: FastifyRequest,
    reply: FastifyReply,
    led: Led,
    body: Buffer | undefined,
  ): Promise<FastifyReply | undefined> {
    const { map, clientAddress } = this.#parts;
    const { method, originalUrl: url, raw, headers } = request;
    const address = clientAddress(raw.socket.remoteAddress, headers["x-forwarded-for"]);
    const came = await this.#goThere(led, (there) => {
      const signature = this.#signatures.sign({ node: map.name, address }, { method, url });
      return passOn(request, reply, { url: there, body, signature });
    });
    if (came === "here") return undefined;
    if (came === "nowhere") return send(reply, COME_AGAIN);
    if (came === "gone") reply.hijack(); // nobody is there to be answered
    return reply;
  }

  /** Again with what is known by then, as long as nothing was heard there; never for a client that has left. */
  async #goThere(led: Led, go: (url: string) => Promise<PassedOn>): Promise<"here" | "passed" | "nowhere" | "gone"> {
    const { map, log } = this.#parts;
    const { exchangeId, passed, isGone } = led;
    const wait = this.#room.begin(led);
    try {
      for (let waitMs: number | undefined; ; ) {
        const where = map.where(exchangeId);
        if (where.is === "here") return "here";
        // Passed on once already: if we do not have it either, whoever asks again finds what is true by then.
        if (where.is === "there" && !passed) {
          const came = await go(where.url);
          if (came === "passed") return "passed";
          if (waitMs === undefined || came === "broken")
            log.warn({ exchangeId, node: where.node, came }, "a request could not be passed on");
          if (came === "broken") return "nowhere";
          waitMs = UNREACHED_MS;
        }
        if (await wait.on(waitMs)) continue;
        if (isGone()) return "gone";
        return where.is === "unknown" && !passed ? "here" : "nowhere";
      }
    } finally {
      wait.over();
    }
  }
}
