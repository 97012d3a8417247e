// What stands before a store in tests: hears every request whole, and can be told to misbehave on the way.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Heard = { method: string; url: string; headers: IncomingMessage["headers"]; body: Buffer };

/** True: it has answered, or will not. */
export type Misbehaviour = (heard: Heard, response: ServerResponse, request: IncomingMessage) => boolean;

export type StoreFront = {
  port: number;
  heard: Heard[];
  /** Until it is told otherwise. */
  misbehave: Misbehaviour | undefined;
  close(): Promise<void>;
};

export async function openStoreFront(
  answer: (heard: Heard, response: ServerResponse) => void | Promise<void>,
  port = 0,
): Promise<StoreFront> {
  const front: StoreFront = { port: 0, heard: [], misbehave: undefined, close: async () => undefined };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      return; // the other side went away
    }
    const { method = "", url = "", headers } = request;
    const heard = { method, url, headers, body: Buffer.concat(pieces) };
    front.heard.push(heard);
    if (front.misbehave?.(heard, response, request)) return;
    await answer(heard, response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  front.port = (server.address() as AddressInfo).port;
  front.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return front;
}
