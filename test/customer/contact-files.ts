// A web server with files of contacts, well-behaved or not: each path is answered by a function.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { whenOver } from "../ground/when-over.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export type ContactFiles = {
  url: string;
  /** What is said at a path from now on. */
  serve(path: string, answer: Answer): string;
  /** A file with a tag; whoever has that one is told so. */
  serveFile(path: string, content: string | Buffer, type?: string): string;
  /** Paths that were asked for, and with which login. */
  asked: { path: string; login: string; status: number }[];
};

export async function openContactFiles(): Promise<ContactFiles> {
  const answers = new Map<string, Answer>();
  const asked: ContactFiles["asked"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    response.once("close", () =>
      asked.push({ path, login: request.headers.authorization ?? "", status: response.statusCode }),
    );
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  whenOver(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serve = (path: string, answer: Answer) => {
    answers.set(path, answer);
    return `${url}${path}`;
  };
  let versions = 0;
  return {
    url,
    asked,
    serve,
    serveFile(path, content, type = "text/csv") {
      const etag = `"${versions++}"`;
      return serve(path, (request, response) => {
        const isKnown = request.headers["if-none-match"] === etag;
        response.writeHead(isKnown ? 304 : 200, { etag, "content-type": type });
        response.end(isKnown ? "" : content);
      });
    },
  };
}
