// The page of a board on the wall. It is the same for everybody: which board it shows stands behind the # of its address,
// and browsers do not send that.

import type { FastifyInstance } from "fastify";
import type { ConsoleOptions } from "../console/console.ts";
import { openGate } from "../console/gate.ts";
import { readShell, sendShell } from "../console/pages.ts";
import type { ClientAddress } from "../door/client-address.ts";
import { attachScreens, type ScreenParts } from "./screens.ts";

const NOT_OPEN = "Boards are not open to this address. See SANTRAL_CONSOLE_FROM.";

export type WallParts = Omit<ScreenParts, "panel" | "gate"> &
  Pick<ConsoleOptions, "from" | "pages" | "running"> & { clientAddress: ClientAddress };

/** Open to who may open the console; without a running exchange there is nothing to light a screen with. */
export function mountWall(app: FastifyInstance, { from, pages, running, clientAddress, ...parts }: WallParts): void {
  const gate = openGate(from, clientAddress);
  const shell = readShell(pages, "wall.html");
  app.get("/wall", { exposeHeadRoute: false }, (request, reply) => {
    reply.headers({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    reply.headers({ "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin" });
    if (!gate(request.raw).admitted) return reply.code(403).type("text/plain; charset=utf-8").send(NOT_OPEN);
    if (shell === undefined) return reply.code(503).send("The console is not built: npm run build.");
    return sendShell(reply, shell);
  });
  if (running) attachScreens(app, { ...parts, gate, panel: running.panel });
}
