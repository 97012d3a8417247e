// The live board over a WebSocket: the panel's snapshot, then each change, for as long as the session lives.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, since } from "../../clock.ts";
import type { Panel, PanelChange } from "../../exchange/panel.ts";
import type { Log } from "../../log.ts";
import { hasRight } from "../../nouns/role.ts";
import type { Scope } from "../../store/scope.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { closeWith } from "../door/upgrades.ts";
import { openViewers, type ViewerPlaces } from "../door/viewers.ts";
import type { Gate } from "./gate.ts";
import { comesFirst } from "./operation/comes-first.ts";
import { sightOf, tellViewer } from "./panel-viewer.ts";
import { isOwnOrigin } from "./session-cookie.ts";

export type LiveParts = {
  panel: Panel;
  gate: Gate;
  sessionOf(request: IncomingMessage): Promise<StaffSession | undefined>;
  /** How far somebody sees. */
  scopeOf(staff: StaffSession): Promise<Scope>;
  clock: Clock;
  log: Log;
  publicUrl: string | undefined;
  /** Other than usual, for tests. */
  places?: ViewerPlaces;
};

/** What the browser hears. `nowMs` is the server's time: durations are counted from it. */
export type LiveMessage = { is: "snapshot" | "changes" | "alive"; nowMs: number; changes: PanelChange[] };

const PATH = "/console/live";
/** Of one person: windows that are open somewhere. */
const MOST_VIEWERS: ViewerPlaces = { all: 1_000, ofExchange: 200, ofOne: 20 };
const MOST_UNSENT = 4 * 1024 * 1024;
/** Both are looked at again this often: the session, so that one that was revoked sees nothing more, and the viewer. */
const LOOK_AGAIN_MS = 30_000;
/** A code of our own: the session is over, and coming back at once is of no use. */
const SIGNED_OUT = 4401;

export function attachLive(app: FastifyInstance, parts: LiveParts): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1_024, maxFragments: 16 });
  const open = new Set<WebSocket>();
  const enter = openViewers(parts.places ?? MOST_VIEWERS);
  app.claimUpgrade((request, socket, head) => {
    if ((request.url ?? "").split("?")[0] !== PATH) return false;
    void letIn(request, socket, head).catch((error: unknown) => {
      parts.log.error({ error: String(error) }, "the live board could not be opened");
      closeWith(socket, "503 Service Unavailable");
    });
    return true;
  });
  app.addHook("preClose", async () => {
    for (const viewer of open) viewer.terminate();
    server.close();
  });

  async function letIn(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const staff = await admit(request);
    if (!staff) return closeWith(socket, "401 Unauthorized");
    if (socket.destroyed) return;
    const leave = enter(staff);
    if (!leave) return closeWith(socket, "503 Service Unavailable");
    socket.once("close", leave);
    return server.handleUpgrade(request, socket, head, (viewer) => {
      open.add(viewer);
      viewer.once("close", () => open.delete(viewer));
      letGoOfTheSilent(viewer, parts.clock);
      void show(parts, { request, staff, viewer });
    });
  }

  async function admit(request: IncomingMessage): Promise<StaffSession | undefined> {
    if (!parts.gate(request).admitted) return undefined;
    if (!isOwnOrigin(request.headers, parts.publicUrl)) return undefined;
    const staff = await parts.sessionOf(request);
    return mayWatch(staff) ? staff : undefined;
  }
}

function mayWatch(staff: StaffSession | undefined): staff is StaffSession {
  return staff !== undefined && !comesFirst(staff) && hasRight(staff, "board");
}

/** Its network may have gone without a word: who gave no sign of life since the last time we asked is gone. */
function letGoOfTheSilent(viewer: WebSocket, clock: Clock): void {
  let isAlive = true;
  const check = () => {
    if (!isAlive) return viewer.terminate();
    isAlive = false;
    viewer.ping();
    cancel = clock.after(LOOK_AGAIN_MS, check);
  };
  let cancel = clock.after(LOOK_AGAIN_MS, check);
  viewer.on("pong", () => {
    isAlive = true;
  });
  viewer.once("close", () => cancel());
}

type Showing = { request: IncomingMessage; staff: StaffSession; viewer: WebSocket };

async function show({ panel, clock, log, sessionOf, scopeOf }: LiveParts, { request, staff, viewer }: Showing) {
  let now = staff;
  const gone = new Promise((resolve) => viewer.once("close", resolve));
  let looked = clock.ticks();
  const tell = async (is: LiveMessage["is"], changes: PanelChange[]) => {
    if (since(clock, looked) > LOOK_AGAIN_MS) {
      looked = clock.ticks();
      const found = await sessionOf(request);
      if (!mayWatch(found)) return viewer.close(SIGNED_OUT);
      now = found;
    }
    const message: LiveMessage = { is, nowMs: clock.wall(), changes };
    if (viewer.bufferedAmount > MOST_UNSENT) viewer.terminate();
    else await Promise.race([gone, new Promise<void>((sent) => viewer.send(JSON.stringify(message), () => sent()))]);
  };
  const isGone = () => viewer.readyState !== viewer.OPEN;
  viewer.on("error", () => viewer.terminate());
  viewer.on("ping", () => viewer.bufferedAmount > MOST_UNSENT && viewer.terminate()); // it has been answered
  const watcher = { exchangeId: staff.exchangeId, look: () => scopeOf(now), sight: () => sightOf(now) };
  await tellViewer({ panel, clock }, watcher, { tell, gone, isGone }).catch((error: unknown) => {
    log.error({ error: String(error) }, "the live board stopped for a viewer");
    viewer.terminate();
  });
}
