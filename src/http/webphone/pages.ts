// Where a browser gets the web phone's page and its files.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Db } from "../../store/db.ts";
import { originsOfPage, pageOfToken } from "../../store/webphone-tokens.ts";
import { refuse, send } from "../door/answer.ts";
import { isPhoneFile, readPhoneFiles, sendFile, sendPage, sendRefusal } from "./page.ts";
import { isToken } from "./token.ts";

const PAGE = /^[0-9a-f]{64}$/;

export function webphonePages(parts: { db: Db; clock: Clock; log: Log; files: string }) {
  return async (server: FastifyInstance): Promise<void> => {
    const files = await readPhoneFiles(parts.files);
    if (!files) parts.log.warn({ folder: parts.files }, "the web phone was not built, so there is none");

    server.get("/webphone", async (request, reply) => {
      const page = pageWanted(request);
      const origins = page === undefined ? undefined : await originsOfPage(parts.db, page, parts.clock.wall());
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
