// The control door of a running server: a socket in its data folder that only its owner can open, for the command line.

import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { Clock } from "../../../clock.ts";
import type { TracedMessage } from "../../../store/sip-traces.ts";
import type { Filter, Trace } from "./trace.ts";

/** One line of JSON from whoever knocks. */
export type Asked = { watch: Filter } | { ask: string; given?: Given };

/** What a question is about. */
export type Given = Readonly<Record<string, string>>;

/** Lines of JSON back: an answer, or messages until somebody hangs up. */
export type Told = { answer: unknown } | { refused: string } | { message: TracedMessage } | { skipped: number };

export type ControlParts = {
  path: string;
  clock: Clock;
  trace: Pick<Trace, "watch">;
  /** Questions that have one answer, now or in a moment. */
  answers: Readonly<Record<string, (given: Given) => unknown>>;
};

const MOST_OPEN = 16;
const LONGEST_QUESTION = 4_096;
const QUESTION_MS = 5_000;
/** A reader that lags this far behind misses messages, and is told how many. */
const MOST_UNSENT = 1 << 20;

export async function openControl({ path, clock, trace, answers }: ControlParts): Promise<{ close(): Promise<void> }> {
  await rm(path, { force: true }); // left by a server that was killed
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    if (open.size >= MOST_OPEN) return socket.destroy();
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
    hearQuestion(socket, clock, (asked) => reply(socket, asked));
    return undefined;
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  function reply(socket: Socket, asked: Asked | undefined): void {
    if (asked && "watch" in asked) return stream(socket, asked.watch);
    const answer = asked && Object.hasOwn(answers, asked.ask) ? answers[asked.ask] : undefined;
    if (!answer) return hangUp(socket, NO_SUCH_QUESTION);
    const said = answer((asked && "given" in asked && asked.given) || {});
    if (said instanceof Promise)
      said.then(
        (it) => hangUp(socket, { answer: it }),
        () => socket.destroy(),
      );
    else hangUp(socket, { answer: said });
  }

  /** The last word. Who does not read it, or stays after it, is not waited for. */
  function hangUp(socket: Socket, told: Told): void {
    const cancel = clock.after(QUESTION_MS, () => socket.destroy());
    socket.once("close", () => cancel());
    socket.end(line(told), () => socket.destroy());
  }

  function stream(socket: Socket, filter: Filter): void {
    let skipped = 0;
    const stop = trace.watch(filter, (message) => {
      if (socket.writableLength > MOST_UNSENT) return void skipped++;
      if (skipped > 0) socket.write(line({ skipped }));
      skipped = 0;
      return void socket.write(line({ message }));
    });
    if (stop) socket.once("close", stop);
    else hangUp(socket, { refused: "too many watch already" });
  }
}

const NO_SUCH_QUESTION: Told = { refused: "no such question" };

const line = (told: Told) => `${JSON.stringify(told)}\n`;

function hearQuestion(socket: Socket, clock: Clock, heard: (asked: Asked | undefined) => void): void {
  let text = "";
  let done = false;
  const cancel = clock.after(QUESTION_MS, () => finish(undefined));
  socket.setEncoding("utf8");
  socket.once("close", () => cancel());
  socket.on("data", (part: string) => {
    if (done) return;
    text += part;
    const end = text.indexOf("\n");
    if (end >= 0) finish(readQuestion(text.slice(0, end)));
    else if (text.length > LONGEST_QUESTION) finish(undefined);
  });

  function finish(asked: Asked | undefined): void {
    if (done) return;
    done = true;
    cancel();
    heard(asked);
  }
}

function readQuestion(text: string): Asked | undefined {
  try {
    const asked = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof asked?.ask === "string") return { ask: asked.ask, given: wordsIn(asked.given) };
    return asked?.watch !== undefined ? { watch: filterIn(asked.watch) } : undefined;
  } catch {
    return undefined;
  }
}

function wordsIn(given: unknown): Given {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

function filterIn(given: unknown): Filter {
  const { call, extension } = (given ?? {}) as Record<string, unknown>;
  return {
    ...(typeof call === "string" && { call }),
    ...(typeof extension === "string" && { extension }),
  };
}
