// A backup on its way to whoever asked for it a moment ago, by a word that opens it once.

import type { FastifyInstance } from "fastify";
import { hasRight } from "../../nouns/role.ts";
import { refuse, send } from "../door/answer.ts";
import { comesFirst } from "./operation/comes-first.ts";
import type { SystemOffice } from "./operation/system-office.ts";
import type { SessionOf } from "./tables.ts";

export function mountBackups(scope: FastifyInstance, system: SystemOffice, sessionOf: SessionOf): void {
  scope.get("/backup/:word", async (request, reply) => {
    const staff = await sessionOf(request);
    if (!staff || comesFirst(staff)) return send(reply, refuse({ refused: "http", status: 401 }));
    if (!hasRight(staff, "run-servers")) return send(reply, refuse({ refused: "http", status: 403 }));
    const { word } = request.params as { word: string };
    const file = await system.openLent(word, staff.exchangeId);
    if (!file) return send(reply, refuse({ refused: "http", status: 404 }));
    return reply
      .header("cache-control", "no-store")
      .header("content-disposition", `attachment; filename="${file.name}"`)
      .header("content-length", file.size)
      .type("application/octet-stream")
      .send(file.stream);
  });
}
