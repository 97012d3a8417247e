// The front of one node among several: whatever is asked, the exchange it is asked of is found, and where that lives
// elsewhere the request goes there and the answer comes back.

import { createHash } from "node:crypto";
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
import { hasBody, keepBody, type ReadRequestBody } from "../door/request-body.ts";
import { closeWith } from "../door/upgrades.ts";
import type { NodeFacts } from "./ask-node.ts";
import { type PassedOn, passOn, passUpgrade } from "./pass-on.ts";
import { mountQuestions, type NodeMap, notForYou } from "./questions.ts";
import { shownBy, shownInBody } from "./shown.ts";
import { NODE_HEADER, openSignatures, type Passed, type Signatures } from "./signature.ts";

export type FrontParts = {
  map: NodeMap;
  /** Sees every exchange, and writes nothing. */
  db: Db;
  secret: string;
  /** What this node says of itself to the others. */
  facts(): NodeFacts;
  /** Bytes of the longest body that any operation takes. */
  longestBody: number;
  clock: Clock;
  log: Log;
  clientAddress: ClientAddress;
  readRequestBody: ReadRequestBody;
};

/** For an exchange whose node has just died: somebody has it soon. */
const PATIENCE_MS = 2_000;
const COME_AGAIN = refuse({ refused: "busy", seconds: 2 });
/** Of the process and not of an exchange. */
const OWN_PATHS = /^\/(?:healthz|readyz|metrics|nodes\/|docs)/;

export function nodeFront(parts: FrontParts): (app: FastifyInstance) => Promise<void> {
  const front = new Front(parts);
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", (request, reply) => front.receive(request, reply));
    app.screenUpgrade((request, socket, head) => front.screen(request, socket, head));
    mountQuestions(app, { ...parts, isSigned: (raw) => front.isSigned(raw) });
  };
  // Fastify gives a plugin its own scope; the hook must see the requests of every door.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

/** What is known of a request; `passed`: by which node, if it did not come here first. */
type Led = { exchangeId: number; body?: Buffer | undefined; passed: Passed | undefined };

/** `isGuess`: it shows something that opens a door, and nobody's. */
type Found = { exchangeId: number | undefined; body?: Buffer; isGuess?: boolean };

class Front {
  readonly #parts: FrontParts;
  readonly #signatures: Signatures;
  /** Requests whose signature was good. */
  readonly #signed = new WeakSet<IncomingMessage>();

  constructor(parts: FrontParts) {
    this.#parts = parts;
    this.#signatures = openSignatures(parts.secret, parts.clock);
  }

  isSigned(raw: IncomingMessage): boolean {
    return this.#signed.has(raw);
  }

  async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const passed = this.#comesFrom(request.raw, request.originalUrl);
    if (passed === "forged") return notForYou(reply);
    if (OWN_PATHS.test(request.originalUrl)) return undefined;
    if (!this.#parts.map.acts()) return send(reply, COME_AGAIN);
    const { exchangeId, body, isGuess } = await this.#exchangeOf(request);
    if (exchangeId !== undefined) return this.#lead(request, reply, { exchangeId, body, passed });
    return isGuess && !passed ? this.#askDoorkeeper(request, reply, body) : undefined;
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
    const came = await this.#goThere({ exchangeId, passed }, true, (there) => {
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

  async #exchangeOf({ raw, arrived }: FastifyRequest): Promise<Found> {
    const { db, readRequestBody, longestBody } = this.#parts;
    const shown = shownBy(raw);
    if (shown) return { exchangeId: await whoseIs(db, shown), isGuess: shown.by !== "session" };
    if (!hasBody(raw)) return { exchangeId: undefined };
    const read = await readRequestBody(raw, longestBody);
    keepBody(raw, read); // whoever reads it later finds it as it was
    if ("failed" in read) return { exchangeId: undefined };
    const inside = shownInBody(read.body, arrived.contentType);
    return { exchangeId: inside && (await whoseIs(db, inside)), body: read.body, isGuess: inside !== undefined };
  }

  /**
   * A key, password or token that is nobody's: one node counts the guesses of an address, or whoever goes from node to
   * node would have as many allowances. Where that one is not reached, we are it.
   */
  async #askDoorkeeper(
    request: FastifyRequest,
    reply: FastifyReply,
    body: Buffer | undefined,
  ): Promise<FastifyReply | undefined> {
    const { map, clientAddress } = this.#parts;
    const { method, originalUrl: url, raw, headers } = request;
    const address = clientAddress(raw.socket.remoteAddress, headers["x-forwarded-for"]);
    const keeper = doorkeeperFor(address, [{ name: map.name, url: "" }, ...map.others()]);
    if (keeper.name === map.name) return undefined;
    const signature = this.#signatures.sign({ node: map.name, address }, { method, url });
    const came = await passOn(request, reply, { url: keeper.url, body, signature });
    if (came === "passed") return reply;
    return came === "unreached" || body !== undefined || !hasBody(raw) ? undefined : send(reply, COME_AGAIN);
  }

  async #exchangeOfUpgrade(request: IncomingMessage): Promise<number | undefined> {
    const domain = new URLSearchParams((request.url ?? "").split("?")[1] ?? "").get("domain");
    if (domain !== null) return this.#parts.map.exchangeOf(domain);
    const shown = shownBy(request);
    return shown && whoseIs(this.#parts.db, shown);
  }

  async #lead(request: FastifyRequest, reply: FastifyReply, led: Led): Promise<FastifyReply | undefined> {
    const { map, clientAddress } = this.#parts;
    const { method, originalUrl: url, raw, headers } = request;
    const { body } = led;
    const isWhole = body !== undefined || !hasBody(raw);
    const address = clientAddress(raw.socket.remoteAddress, headers["x-forwarded-for"]);
    const came = await this.#goThere(led, isWhole, (there) => {
      const signature = this.#signatures.sign({ node: map.name, address }, { method, url });
      return passOn(request, reply, { url: there, body, signature });
    });
    if (came === "here") return undefined;
    return came === "passed" ? reply : send(reply, COME_AGAIN);
  }

  /** Once more with what is known by then, as long as nothing was heard there and all of it can be said again. */
  async #goThere(
    { exchangeId, passed }: Led,
    isWhole: boolean,
    go: (url: string) => Promise<PassedOn>,
  ): Promise<"here" | "passed" | "nowhere"> {
    const { map, log } = this.#parts;
    // Passed on once already: if we do not have it either, whoever asks again finds what is true by then.
    if (passed) return (await map.hereAtLast(exchangeId, PATIENCE_MS)) ? "here" : "nowhere";
    for (let attempt = 1; attempt <= 2; attempt++) {
      const where = await map.whereAtLast(exchangeId, PATIENCE_MS);
      if (where.is === "here" || where.is === "unknown") return "here";
      if (where.is === "nowhere") return "nowhere";
      const came = await go(where.url);
      if (came === "passed") return "passed";
      log.warn({ exchangeId, node: where.node, came }, "a request could not be passed on");
      if (came === "broken" || !isWhole) return "nowhere";
    }
    return "nowhere";
  }
}

/** The same at every node that sees the same others, and another for other addresses; few change when one comes or goes. */
function doorkeeperFor<Node extends { name: string }>(address: string, nodes: readonly [Node, ...Node[]]): Node {
  const rank = ({ name }: Node) => createHash("sha256").update(`${name} ${address}`).digest("hex");
  return nodes.reduce((first, other) => (rank(other) > rank(first) ? other : first));
}
