import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Libc } from "../../libc.ts";
import { type Command, canWait, isAnswerUrgent } from "./commands.ts";
import { GONE, ThreadLink } from "./thread-link.ts";

/** Obeys nothing, and answers every command with the number of the message that brought it. */
const POSTMAN = `
import { parentPort } from "node:worker_threads";
let brought = 0;
let commands = 0;
parentPort.on("message", (batch) => {
  brought += 1;
  const numbers = batch.map(() => ++commands);
  parentPort.postMessage({ is: "answers", numbers, values: numbers.map(() => brought) });
});
parentPort.postMessage({ is: "ready", wakeFd: -1, leaves: [], held: [] });
`;

const settings = {
  role: "media",
  place: 0,
  threads: 1,
  addresses: ["127.0.0.1"],
  portRange: [0, 0],
  mediaTimeoutMs: 0,
  certificate: undefined,
  withoutLibc: true,
  keeps: false,
  holds: [],
  leftBehind: [],
} satisfies ConstructorParameters<typeof ThreadLink>[0]["settings"];

let folder: string;
let line: ThreadLink;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "thread-line-"));
  const workerPath = join(folder, "postman.mjs");
  await writeFile(workerPath, POSTMAN);
  const { port1: disk } = new MessageChannel();
  line = new ThreadLink({
    workerPath,
    settings,
    disk,
    libc: undefined,
    onEvent() {},
    onKept() {},
    onAdvance() {},
    onGone() {},
  });
  expect(await line.ready).toBeUndefined();
});
afterEach(async () => {
  vi.useRealTimers();
  await line.kill();
  await rm(folder, { recursive: true });
});

const open = (stream: string): Command & { do: "open" } => ({ do: "open", at: 0, stream, port: 1, told: "" });
const close = (stream: string): Command & { do: "close" } => ({ do: "close", stream });

test("the end of a stream is sent at once, and takes along what waited for company", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] }); // and none ever goes off: what waits for time waits for ever
  const opened = line.ask(open("a"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await line.ask(close("b"))).toBe(1);
  expect(await opened).toBe(1);
  expect(await line.ask(close("a"))).toBe(2);
});

test("the ends of one turn go in one message", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  expect(await Promise.all([line.ask(close("a")), line.ask(open("c")), line.ask(close("b"))])).toEqual([1, 1, 1]);
});

test("a beginning waits for company, and goes alone when none comes", async () => {
  const [first, second] = [line.ask(open("a")), line.ask(open("b"))];
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

test("only beginnings wait to be sent, and nobody waits for the answers to beginnings and ends", () => {
  expect(canWait(open("a"))).toBe(true);
  for (const command of [close("a"), { do: "stop", handOver: false }, { do: "part", stream: "a" }] as const)
    expect(canWait(command)).toBe(false);
  expect([open("a"), close("a")].map(isAnswerUrgent)).toEqual([false, false]);
  expect(isAnswerUrgent({ do: "statistics", stream: "a" })).toBe(true);
});

/** Says that it is ready only after it was told to stop. */
const LATE = `
import { parentPort } from "node:worker_threads";
parentPort.once("message", () => {
  parentPort.postMessage({ is: "ready", wakeFd: 1007, leaves: [1007, 1008], held: [] });
  parentPort.postMessage({ is: "answers", numbers: [1], values: [undefined] });
});
`;

test.each(["stop", "kill"] as const)(
  "what a thread leaves behind is closed once, whenever it was told to %s",
  async (how) => {
    const workerPath = join(folder, "late.mjs");
    await writeFile(workerPath, LATE);
    const closed: unknown[] = [];
    const written: unknown[] = [];
    const libc = {
      close: (fd: unknown) => closed.push(fd),
      write: (fd: unknown) => written.push(fd),
    } as unknown as Libc;
    const late = new ThreadLink({
      workerPath,
      settings,
      disk: new MessageChannel().port1,
      libc,
      onEvent() {},
      onKept() {},
      onAdvance() {},
      onGone() {},
    });
    if (how === "kill") {
      void late.ask({ do: "statistics", stream: "" });
      await late.ready;
      expect(closed).toEqual([]);
    }
    await (how === "stop" ? late.stop({ handOver: false }) : late.kill());
    expect(closed).toEqual([1007, 1008]);
    const before = written.length;
    expect(await late.ask({ do: "statistics", stream: "" })).toBe(GONE);
    expect(written).toHaveLength(before);
  },
);
