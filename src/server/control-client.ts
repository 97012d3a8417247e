// The other end of a running server's control door: what the command line asks it.

import { connect, type Socket } from "node:net";
import type { Asked, Given, Told } from "../exchange/signalling/trace/control.ts";

/** Undefined when no server answers there. */
export async function askServer(path: string, question: string, given: Given = {}): Promise<unknown> {
  const socket = await sendTo(path, { ask: question, given });
  if (!socket) return undefined;
  for await (const told of linesOf(socket)) {
    socket.destroy();
    return "answer" in told ? told.answer : undefined;
  }
  return undefined;
}

/** Everything it tells until it stops, or we do. */
export async function* listenTo(path: string, asked: Asked): AsyncGenerator<Told, "hung-up" | "nobody"> {
  const socket = await sendTo(path, asked);
  if (!socket) return "nobody";
  yield* linesOf(socket);
  return "hung-up";
}

function sendTo(path: string, asked: Asked): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.write(`${JSON.stringify(asked)}\n`);
      resolve(socket);
    });
    socket.once("error", () => resolve(undefined));
  });
}

async function* linesOf(socket: Socket): AsyncGenerator<Told> {
  let text = "";
  socket.setEncoding("utf8");
  for await (const part of socket as AsyncIterable<string>) {
    text += part;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Told; // our own server wrote it
  }
}
