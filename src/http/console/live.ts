// The live board over a WebSocket: the panel's snapshot, then each change, for as long as the session lives.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, since } from "../../clock.ts";
import type { Panel, PanelChange } from "../../exchange/panel.ts";
import type { Log } from "../../log.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import type { Gate } from "./gate.ts";
import { tellViewer } from "./panel-viewer.ts";
import { isOwnOrigin } from "./session-cookie.ts";

export type LiveParts = {
  panel: Panel;
  gate: Gate;
  sessionOf(request: IncomingMessage): Promise<StaffSession | undefined>;
  clock: Clock;
  log: Log;
  publicUrl: string | undefined;
};

/** What the browser hears. `nowMs` is the server's time: durations are counted from it. */
export type LiveMessage = { is: "snapshot" | "changes" | "alive"; nowMs: number; changes: PanelChange[] };

const PATH = "/console/live";
const MOST_VIEWERS = 200;
const MOST_UNSENT = 4 * 1024 * 1024;
/** The session is looked at again this often, so that one that was revoked sees nothing more. */
const LOOK_AGAIN_MS = 30_000;
/** A code of our own: the session is over, and coming back at once is of no use. */
const SIGNED_OUT = 4401;

export function attachLive(app: FastifyInstance, parts: LiveParts): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1_024 });
  const open = new Set<WebSocket>();
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if ((request.url ?? "").split("?")[0] !== PATH) return;
    void admit(request).then((staff) => {
      if (!staff) return void socket.end("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n");
      return server.handleUpgrade(request, socket, head, (viewer) => {
        open.add(viewer);
        viewer.once("close", () => open.delete(viewer));
        void show(parts, { request, staff, viewer });
      });
    });
  });
  app.addHook("preClose", async () => {
    for (const viewer of open) viewer.terminate();
    server.close();
  });

  async function admit(request: IncomingMessage): Promise<StaffSession | undefined> {
    if (open.size >= MOST_VIEWERS || !parts.gate(request).admitted) return undefined;
    if (!isOwnOrigin(request.headers, parts.publicUrl)) return undefined;
    const staff = await parts.sessionOf(request);
    return staff?.mustChangePassword ? undefined : staff;
  }
}

type Showing = { request: IncomingMessage; staff: StaffSession; viewer: WebSocket };

async function show({ panel, clock, log, sessionOf }: LiveParts, { request, staff, viewer }: Showing) {
  const gone = new Promise((resolve) => viewer.once("close", resolve));
  let looked = clock.ticks();
  const tell = async (is: LiveMessage["is"], changes: PanelChange[]) => {
    if (since(clock, looked) > LOOK_AGAIN_MS) {
      looked = clock.ticks();
      if (!(await sessionOf(request))) return viewer.close(SIGNED_OUT);
    }
    const message: LiveMessage = { is, nowMs: clock.wall(), changes };
    if (viewer.bufferedAmount > MOST_UNSENT) viewer.terminate();
    else await Promise.race([gone, new Promise<void>((sent) => viewer.send(JSON.stringify(message), () => sent()))]);
  };
  const isGone = () => viewer.readyState !== viewer.OPEN;
  viewer.on("error", () => viewer.terminate());
  await tellViewer({ panel, clock }, staff.exchangeId, { tell, gone, isGone }).catch((error: unknown) => {
    log.error({ error: String(error) }, "the live board stopped for a viewer");
    viewer.terminate();
  });
}
