// Somebody who sends a body that is as long as he says, or has no end, for as long as the other side takes it.

import { connect } from "node:net";

export type Upload = {
  /** Method and path. */
  line: string;
  headers?: Record<string, string>;
  /** What the body begins with; the rest is filled up. */
  begins?: string;
  /** Without it the body comes in pieces and never ends. */
  length?: number;
};

export type Heard = { status: number; text: string; sawContinue: boolean };

const FILLING = Buffer.alloc(64 * 1024, "x");

/** What he hears, and how many bytes of it all had been read on the other side is for the other side to say. */
export function upload(address: string, { line, headers = {}, begins = "", length }: Upload): Promise<Heard> {
  const [host = "", port] = address.split(":");
  return new Promise((settle, fail) => {
    const socket = connect(Number(port), host);
    let heard = "";
    let isOver = false;
    let sent = 0;
    let isBegun = false;
    socket.setEncoding("latin1");
    const framing = length === undefined ? "transfer-encoding: chunked" : `content-length: ${length}`;
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n${more.join("")}\r\n`);
    if (headers.expect === undefined) pump();
    socket.on("drain", pump);
    socket.on("data", (piece: string) => {
      heard += piece;
      if (/^HTTP\/1\.1 100/.test(heard) && headers.expect) pump();
      const answer = heard.replace(/^HTTP\/1\.1 100[\s\S]*?\r\n\r\n/, "");
      const [head, text] = answer.split(/\r\n\r\n([\s\S]*)/);
      const told = Number(/\r\ncontent-length: (\d+)/i.exec(head ?? "")?.[1] ?? Number.NaN);
      if (text === undefined || (text.length < told && !line.startsWith("HEAD "))) return;
      isOver = true;
      socket.destroy();
      settle({
        status: Number(answer.slice(9, 12)),
        text,
        sawContinue: /^HTTP\/1\.1 100/.test(heard),
      });
    });
    socket.on("error", (error) => isOver || fail(error));
    socket.on("close", () => isOver || fail(new Error(`closed without an answer: ${heard}`)));

    function pump(): void {
      let goesOn = true;
      while (goesOn && !socket.destroyed) {
        const piece = isBegun ? FILLING : Buffer.from(begins || "x");
        isBegun = true;
        const part = length === undefined ? piece : piece.subarray(0, length - sent);
        if (part.length === 0) return;
        sent += part.length;
        if (length === undefined) socket.write(`${part.length.toString(16)}\r\n`);
        goesOn = socket.write(part);
        if (length === undefined) socket.write("\r\n");
      }
    }
  });
}
