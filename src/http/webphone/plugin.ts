// The web phone's door of the HTTP server: the page with its files, and what the page asks while it is open.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Log } from "../../log.ts";
import type { Database } from "../../store/db.ts";
import { originsOfPage, pageOfToken } from "../../store/webphone-tokens.ts";
import { isRefused, refuse, send } from "../door/answer.ts";
import { type DeskParts, desk } from "./desk.ts";
import { isToken, openWebphoneDoor, type WebphoneDoorParts } from "./door.ts";
import { isPhoneFile, readPhoneFiles, sendFile, sendPage, sendRefusal } from "./page.ts";

export type WebphoneParts = WebphoneDoorParts & DeskParts & { db: Database; log: Log; files: string };

const PAGE = /^[0-9a-f]{64}$/;

export function webphone(parts: WebphoneParts): (server: FastifyInstance) => Promise<void> {
  const door = openWebphoneDoor(parts);
  return async (server) => {
    const files = await readPhoneFiles(parts.files);
    if (!files) parts.log.warn({ folder: parts.files }, "the web phone was not built, so there is none");

    server.get("/webphone", async (request, reply) => {
      const page = pageWanted(request);
      const origins = page === undefined ? undefined : await originsOfPage(parts.db, page, parts.clock.now());
      if (page === undefined || !origins) return sendRefusal(reply);
      if (!files) return send(reply, refuse({ refused: "http", status: 404 }));
      return sendPage(reply, { files, page, origins, host: request.headers.host ?? "" });
    });

    server.get("/webphone/:file", async (request, reply) => {
      const { file } = request.params as { file: string }; // as the path says
      return files && isPhoneFile(file)
        ? sendFile(reply, files[file])
        : send(reply, refuse({ refused: "http", status: 404 }));
    });

    for (const [name, act] of Object.entries(desk)) {
      const [method = "", url = ""] = name.split(" ");
      server.route({
        ...{ method, url },
        handler: async (request, reply) => {
          const visitor = await door(request);
          const query = new URLSearchParams(request.arrived.query);
          reply.header("cache-control", "no-store");
          return send(
            reply,
            isRefused(visitor)
              ? visitor
              : await act({ ...parts, db: parts.db.forExchange(visitor.exchangeId) }, { visitor, query }),
          );
        },
      });
    }
  };
}

/** Named by its token when it is first opened, by its own name when it is loaded again. */
function pageWanted(request: FastifyRequest): string | undefined {
  const query = new URLSearchParams(request.arrived.query);
  const token = query.get("token");
  if (token !== null) return isToken(token) ? pageOfToken(token) : undefined;
  const page = query.get("page") ?? "";
  return PAGE.test(page) ? page : undefined;
}
