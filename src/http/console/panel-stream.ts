// The live panel as a stream of server-sent events, for staff: first everything, then each change.

import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Panel } from "../../exchange/panel.ts";
import type { Log } from "../../log.ts";
import { hasRight } from "../../nouns/role.ts";
import type { Scope } from "../../store/scope.ts";
import type { SignedIn } from "../../store/staff-sign-in.ts";
import { isRefused, refuse, send, statusOf } from "../door/answer.ts";
import { openViewers, type ViewerPlaces } from "../door/viewers.ts";
import { type Sink, sightOf, tellViewer } from "./panel-viewer.ts";
import type { StaffDoor } from "./staff-door.ts";

export type PanelStreamParts = {
  panel: Panel;
  door: StaffDoor;
  clock: Clock;
  log: Log;
  /** How far somebody sees. */
  scopeOf(staff: SignedIn): Promise<Scope>;
};

const MOST_VIEWERS: ViewerPlaces = { all: 1_000, ofExchange: 200, ofOne: 20 };

/** Below the console's own prefix, and so behind its gate. */
export function panelStream(parts: PanelStreamParts): (server: FastifyInstance) => Promise<void> {
  const open = new Set<ServerResponse>();
  const enter = openViewers(MOST_VIEWERS);
  return async (server) => {
    server.addHook("preClose", async () => {
      for (const stream of open) stream.end();
    });
    server.get("/panel", async (request, reply) => {
      const staff = await parts.door(request);
      if (isRefused(staff)) {
        if (statusOf(staff) === 401) reply.header("www-authenticate", 'Basic realm="Santral", charset="UTF-8"');
        return send(reply, staff);
      }
      if (!hasRight(staff, "board")) return send(reply, refuse({ refused: "http", status: 403 }));
      const leave = enter(staff);
      if (!leave) return send(reply, refuse({ refused: "busy", seconds: 30 }));
      reply.hijack();
      reply.raw.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      open.add(reply.raw);
      reply.raw.once("close", () => {
        open.delete(reply.raw);
        leave();
      });
      void tellAll(parts, staff, reply.raw);
      return reply;
    });
  };
}

async function tellAll({ panel, clock, log, scopeOf }: PanelStreamParts, staff: SignedIn, stream: ServerResponse) {
  const gone = new Promise<"gone">((resolve) => stream.once("close", () => resolve("gone")));
  const isGone = () => stream.destroyed || stream.writableEnded;
  const tell: Sink["tell"] = (kind, changes) => {
    const text = kind === "alive" ? ": still here\n\n" : `event: ${kind}\ndata: ${JSON.stringify(changes)}\n\n`;
    return write(stream, text, gone);
  };
  const watcher = { exchangeId: staff.exchangeId, look: () => scopeOf(staff), sight: () => sightOf(staff) };
  await tellViewer({ panel, clock }, watcher, { tell, gone, isGone }).catch((error: unknown) => {
    log.error({ error: String(error) }, "the panel stopped for a viewer");
    stream.destroy();
  });
}

async function write(stream: ServerResponse, text: string, gone: Promise<unknown>): Promise<void> {
  if (stream.write(text)) return;
  await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), gone]);
}
