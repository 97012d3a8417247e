// So many clients that ask an HTTP server at once over plain sockets, each for its next request as soon as it has its
// answer: light enough that the server is what is measured.

import { connect } from "node:net";

/** The whole text of a client's next request; undefined: no more. */
export type NextRequest = (client: number) => string | undefined;

/** How many were answered with 200. Anything else ends the run. */
export async function loadHttp(address: string, clients: number, next: NextRequest): Promise<number> {
  const counts = await Promise.all(Array.from({ length: clients }, (_, client) => ask(address, client, next)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function ask(address: string, client: number, next: NextRequest): Promise<number> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host);
    let heard = "";
    let answered = 0;
    const say = () => {
      const text = next(client);
      if (text !== undefined) return void socket.write(text);
      socket.destroy();
      resolve(answered);
    };
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.once("connect", say);
    socket.once("error", reject);
    socket.once("close", () => resolve(answered));
    socket.on("data", (part: string) => {
      heard += part;
      const head = heard.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0);
      if (heard.length < head + 4 + length) return;
      if (!heard.startsWith("HTTP/1.1 200")) {
        socket.destroy();
        return reject(new Error(heard));
      }
      heard = "";
      answered += 1;
      say();
    });
  });
}

export function requestText(method: string, path: string, type = "", body = ""): string {
  const about = body === "" ? "" : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${about}\r\n${body}`;
}
