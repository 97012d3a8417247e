// Old clients put a text into the query of GET /v2/send as it is. Node refuses such a request line, so it is mended here.

import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

type BrokenRequest = Error & { code?: string; rawPacket?: Buffer };
type Listener = (error: BrokenRequest, socket: Socket) => void;

/** Blanks are not mended: what stands behind one might as well be the protocol's version. */
const UNENCODED = /^GET (\/v2\/send(?:\.json)?\/?\?[!-~\x80-\xff]*) HTTP\/1\.[01]\r\n/;
const LONGEST_ANSWERED = 64 * 1024;

/** Goes before the server's own refusal of requests it cannot parse, and leaves everything else to it. */
export function mendRawQueries(app: FastifyInstance): void {
  const refuse = app.server.listeners("clientError") as Listener[];
  app.server.removeAllListeners("clientError");
  app.server.on("clientError", (error: BrokenRequest, socket: Socket) => {
    const url = rawUrl(error);
    if (url && socket.writable) void answer(app, socket, url);
    else for (const listener of refuse) listener(error, socket);
  });
}

/** The path and query with every byte that has no business there percent-encoded; whether they are UTF-8 is asked later. */
function rawUrl({ rawPacket }: BrokenRequest): string | undefined {
  if (!rawPacket || rawPacket.length > LONGEST_ANSWERED) return undefined;
  const [, url] = UNENCODED.exec(rawPacket.toString("latin1")) ?? [];
  return url?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

async function answer(app: FastifyInstance, socket: Socket, url: string): Promise<void> {
  const { statusCode, statusMessage, headers, rawPayload } = await app.inject({
    method: "GET",
    url,
    ...(socket.remoteAddress ? { remoteAddress: socket.remoteAddress } : {}),
  });
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("\r\n")}\r\n\r\n`);
  socket.end(rawPayload);
}
