// The live panel as a stream of server-sent events, for staff: first everything, then each change.

import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { type Clock, pause } from "../../clock.ts";
import type { Panel } from "../../exchange/panel.ts";
import type { Log } from "../../log.ts";
import { isRefused, refuse, send } from "../answer.ts";
import type { StaffDoor } from "./staff-door.ts";

export type PanelStreamParts = { panel: Panel; door: StaffDoor; clock: Clock; log: Log };

/** Changes that come closer together than this are told together. */
const TOGETHER_MS = 50;
const SIGN_OF_LIFE_MS = 15_000;
const MOST_VIEWERS = 200;

export function panelStream(parts: PanelStreamParts): (server: FastifyInstance) => Promise<void> {
  const open = new Set<ServerResponse>();
  return async (server) => {
    server.addHook("preClose", async () => {
      for (const stream of open) stream.end();
    });
    server.get("/console/panel", async (request, reply) => {
      const staff = await parts.door(request);
      if (isRefused(staff)) {
        if (staff.status === 401) reply.header("www-authenticate", 'Basic realm="Santral", charset="UTF-8"');
        return send(reply, staff);
      }
      if (open.size >= MOST_VIEWERS)
        return send(reply, { ...refuse(503, "Service Unavailable"), retryAfterSeconds: 30 });
      reply.hijack();
      reply.raw.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      open.add(reply.raw);
      reply.raw.once("close", () => open.delete(reply.raw));
      void tellAll(parts, staff.exchangeId, reply.raw);
      return reply;
    });
  };
}

/** One event at a time: who reads slowly is told less often, not later. */
async function tellAll({ panel, clock, log }: PanelStreamParts, exchangeId: number, stream: ServerResponse) {
  let news = deferred();
  const viewer = panel.watch(exchangeId, () => news.resolve());
  const gone = new Promise<"gone">((resolve) => stream.once("close", () => resolve("gone")));
  let name = "snapshot";
  let silentMs = 0;
  try {
    while (!stream.destroyed && !stream.writableEnded) {
      const changes = await viewer.take();
      const isFirst = name === "snapshot";
      if (changes.length > 0 || isFirst)
        await write(stream, `event: ${name}\ndata: ${JSON.stringify(changes)}\n\n`, gone);
      else if (silentMs >= SIGN_OF_LIFE_MS) await write(stream, ": still here\n\n", gone);
      silentMs = changes.length > 0 || silentMs >= SIGN_OF_LIFE_MS ? 0 : silentMs;
      name = "changes";
      const before = clock.now();
      await Promise.race([news.promise, gone]);
      await Promise.race([pause(clock, TOGETHER_MS), gone]);
      news = deferred();
      silentMs += clock.now() - before;
    }
  } catch (error) {
    log.error({ error: String(error) }, "the panel stopped for a viewer");
    stream.destroy();
  } finally {
    viewer.stop();
  }
}

async function write(stream: ServerResponse, text: string, gone: Promise<unknown>): Promise<void> {
  if (stream.write(text)) return;
  await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), gone]);
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
