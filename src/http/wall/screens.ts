// Screens on the wall, each lit by the link of its board: a socket that tells the board's face whenever it is another, and
// goes dark when the link is taken back. It reads nothing that a screen says.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { type Cancel, type Clock, since, type Ticks } from "../../clock.ts";
import type { Panel } from "../../exchange/panel.ts";
import type { Log } from "../../log.ts";
import type { Database } from "../../store/db.ts";
import { findExchange } from "../../store/exchanges.ts";
import { boardOfLink, boardsOfLinks, type LinkedBoard } from "../../store/wall-boards.ts";
import type { Gate } from "../console/gate.ts";
import { isOwnOrigin } from "../console/session-cookie.ts";
import type { CountGuess } from "../door/rate-limit.ts";
import { closeWith } from "../door/upgrades.ts";
import { openViewers, type ViewerPlaces } from "../door/viewers.ts";
import { type ExchangeWatch, watchExchange } from "./exchange-watch.ts";
import { faceOf, type WallMessage } from "./face.ts";
import { PROTOCOL, tokenShown, WALL_LIVE } from "./token.ts";

export type ScreenParts = {
  panel: Panel;
  db: Database;
  gate: Gate;
  countGuess: CountGuess;
  clock: Clock;
  log: Log;
  publicUrl: string | undefined;
};

/** Codes of our own: the link opens nothing any more; too many tries; the exchange lives elsewhere now. */
const [GONE, TOO_MANY, ELSEWHERE] = [4410, 4429, 1012];

const MOST_SCREENS: ViewerPlaces = { all: 1_500, ofExchange: 150, ofOne: 50 };
const LOOK_MS = 1_000;
const CHECK_MS = 2_000;
const ALIVE_MS = 15_000;
const MOST_UNSENT = 256 * 1024;

type Screen = { socket: WebSocket; board: LinkedBoard; told: string; toldAt: Ticks; isAlive: boolean };

export function attachScreens(app: FastifyInstance, parts: ScreenParts): void {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1_024,
    maxFragments: 16,
    handleProtocols: () => PROTOCOL,
  });
  const wall = new Wall(parts);
  app.claimUpgrade((request, socket, head) => {
    if ((request.url ?? "").split("?")[0] !== WALL_LIVE) return false;
    void letIn(request, socket, head).catch((error: unknown) => {
      parts.log.error({ error: String(error) }, "a board on the wall could not be opened");
      closeWith(socket, "503 Service Unavailable");
    });
    return true;
  });
  app.addHook("preClose", async () => {
    wall.close();
    server.close();
  });

  async function letIn(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { address, admitted } = parts.gate(request);
    if (!admitted || !isOwnOrigin(request.headers, parts.publicUrl)) return closeWith(socket, "403 Forbidden");
    // Every try counts, whether its token is good or not: a screen comes once, and who guesses comes often.
    const waitMs = await parts.countGuess("wall", address);
    const board = waitMs > 0 ? undefined : await boardOfLink(parts.db, tokenShown(request));
    if (socket.destroyed) return;
    server.handleUpgrade(request, socket, head, (screen) => {
      screen.on("error", () => screen.terminate());
      screen.on("ping", () => screen.bufferedAmount > MOST_UNSENT && screen.terminate()); // it has been answered
      if (!board) return screen.close(waitMs > 0 ? TOO_MANY : GONE);
      if (!wall.light(screen, board)) screen.close(TOO_MANY);
    });
  }
}

class Wall {
  readonly #parts: ScreenParts;
  readonly #screens = new Set<Screen>();
  readonly #enter = openViewers(MOST_SCREENS);
  readonly #watches = new Map<number, ExchangeWatch>();
  #isLooking = false;
  #cancel: Cancel | undefined;
  #checked: Ticks;
  #isClosed = false;

  constructor(parts: ScreenParts) {
    this.#parts = parts;
    this.#checked = parts.clock.ticks();
  }

  /** False when there is no room. */
  light(socket: WebSocket, board: LinkedBoard): boolean {
    const leave = this.#isClosed ? undefined : this.#enter(board);
    if (!leave) return false;
    const screen: Screen = { socket, board, told: "", toldAt: this.#parts.clock.ticks(), isAlive: true };
    this.#screens.add(screen);
    socket.on("pong", () => {
      screen.isAlive = true;
    });
    socket.once("close", () => {
      leave();
      this.#forget(screen);
    });
    void this.#look();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const { socket } of this.#screens) socket.terminate();
    for (const watch of this.#watches.values()) watch.stop();
  }

  #forget(screen: Screen): void {
    this.#screens.delete(screen);
    const { exchangeId } = screen.board;
    if ([...this.#screens].some(({ board }) => board.exchangeId === exchangeId)) return;
    this.#watches.get(exchangeId)?.stop();
    this.#watches.delete(exchangeId);
  }

  /** One look at a time; who comes during one is seen by the next. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#cancel?.();
    const { clock, log } = this.#parts;
    try {
      if (since(clock, this.#checked) >= CHECK_MS) await this.#check();
      await this.#show();
    } catch (error) {
      log.warn({ error: String(error) }, "boards on the wall could not be looked at; trying again soon");
    }
    this.#isLooking = false;
    if (!this.#isClosed && this.#screens.size > 0) this.#cancel = clock.after(LOOK_MS, () => void this.#look());
  }

  /** Whose link is gone goes dark; a board that was changed is shown as it is now. */
  async #check(): Promise<void> {
    const { db, clock } = this.#parts;
    const hashes = new Map([...this.#screens].map(({ board }) => [keyOf(board), board.tokenHash]));
    const boards = await boardsOfLinks(db, [...hashes.values()]);
    this.#checked = clock.ticks();
    const known = new Map(boards.map((board) => [keyOf(board), board]));
    for (const screen of [...this.#screens]) {
      const board = known.get(keyOf(screen.board));
      if (board) screen.board = board;
      // One that came meanwhile was not asked about.
      else if (hashes.has(keyOf(screen.board))) await this.#darken(screen);
    }
  }

  /** An exchange that is not here any more is asked for where it is. */
  async #darken({ socket, board }: Screen): Promise<void> {
    const isHere = (await findExchange(this.#parts.db, board.exchangeId)) !== undefined;
    socket.close(isHere ? GONE : ELSEWHERE);
  }

  async #show(): Promise<void> {
    const faces = new Map<string, string>();
    for (const screen of [...this.#screens]) {
      const key = keyOf(screen.board);
      const face = faces.get(key) ?? (await this.#faceOf(screen.board));
      faces.set(key, face);
      if (face !== "") this.#tell(screen, face);
    }
  }

  /** Nothing where it cannot be looked at: the others are shown all the same. */
  async #faceOf(board: LinkedBoard): Promise<string> {
    const { exchangeId, timeZone } = board;
    const watch = this.#watches.get(exchangeId) ?? watchExchange(this.#parts, { exchangeId, timeZone });
    this.#watches.set(exchangeId, watch);
    const state = await watch.look().catch((error: unknown) => {
      this.#parts.log.warn({ exchangeId, error: String(error) }, "a board on the wall could not be looked at");
    });
    return state === undefined ? "" : textOf({ is: "face", face: faceOf(board, state) });
  }

  #tell(screen: Screen, face: string): void {
    const { clock } = this.#parts;
    const { socket, told, toldAt } = screen;
    if (socket.readyState !== socket.OPEN) return;
    const isQuiet = since(clock, toldAt) >= ALIVE_MS;
    if (face === told && !isQuiet) return;
    // Its network may have gone without a word, and who reads nothing must not fill our memory.
    if (socket.bufferedAmount > MOST_UNSENT || (isQuiet && !screen.isAlive)) return socket.terminate();
    if (isQuiet) {
      screen.isAlive = false;
      socket.ping();
    }
    screen.toldAt = clock.ticks();
    screen.told = face;
    socket.send(face === told ? textOf({ is: "alive" }) : face);
  }
}

function keyOf({ tokenHash }: LinkedBoard): string {
  return tokenHash.toString("hex");
}

function textOf(message: WallMessage): string {
  return JSON.stringify(message);
}
