import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../test/ground/eventually.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { openPrograms } from "./programs.ts";

function programs({ workerPath = resolve("dist/programs.js"), clock = testClock() } = {}) {
  const opened = openPrograms({ clock, workerPath, folder: tmpdir() });
  whenOver(() => opened.close());
  return { ...opened, clock };
}

const sh = (script: string, ...words: string[]) => ({ command: "sh", words: ["-c", script, "sh", ...words] });

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "programs-"));
  whenOver(() => rm(path, { recursive: true }));
  return path;
}

test("a program reads what it is given, and what it says and how it ends is heard", async () => {
  const { run } = programs();
  expect(await run({ ...sh('cat; echo "$1" >&2; exit 3', "a b $(c)"), input: "text" })).toEqual({
    code: 3,
    said: "text",
    complained: "a b $(c)\n",
  });
  const [one, other] = await Promise.all([run(sh("echo one")), run(sh("echo other"))]);
  expect([one.said, other.said]).toEqual(["one\n", "other\n"]);
});

test("one that is not there, and one that talks without end, are told as they are", async () => {
  const { run } = programs();
  const missing = await run({ command: "no-such-program", words: [] });
  expect(missing).toMatchObject({ code: undefined, complained: expect.stringContaining("ENOENT") });
  const beside = run(sh("sleep 0.2; exit 4"));
  const impossible = await run({ command: "true", words: ["\0"] });
  expect(impossible).toMatchObject({ code: undefined, complained: expect.stringContaining("null bytes") });
  expect((await beside).code).toBe(4);
  const loud = await run(sh("yes | head -c 500000; yes no | head -c 500000 >&2"));
  expect([loud.code, loud.said.length, loud.complained.length]).toEqual([0, 2_000, 2_000]);
});

test("one that takes too long is ended, and so is one that still runs when all is closed", async () => {
  const path = await folder();
  const { run, close } = programs();
  const late = new AbortController();
  const ended = run(sh('echo > "$1"; exec sleep 1000', join(path, "one")), late.signal);
  await eventually("it runs", () =>
    readFile(join(path, "one")).then(
      () => true,
      () => false,
    ),
  );
  late.abort();
  expect((await ended).code).toBeNull();
  const last = run(sh("exec sleep 1000"));
  await close();
  expect((await last).code).toBeNull();
});

test("a thread that dies fails what it had begun, and the next program has another", async () => {
  const workerPath = join(await folder(), "dies.mjs");
  const dies = `parentPort.on("message", () => { throw new Error("no memory") })`;
  await writeFile(workerPath, `import { parentPort } from "node:worker_threads"; ${dies};`);
  const { run } = programs({ workerPath });
  for (const _ of [1, 2]) expect(await run(sh("true"))).toEqual({ code: undefined, said: "", complained: "no memory" });
});

test("several that end together with their thread leave one wait behind them, which cuts no later one short", async () => {
  const workerPath = join(await folder(), "dies-once.mjs");
  const says = `{ order, end: { code: 0, said: program.command, complained: "" } }`;
  const hears = `({ order, program }) => {
    if (program.command === "die") throw new Error("no memory");
    if (program.command === "late") setTimeout(() => parentPort.postMessage(${says}), 200);
  }`;
  await writeFile(workerPath, `import { parentPort } from "node:worker_threads"; parentPort.on("message", ${hears});`);
  const { run, clock } = programs({ workerPath });
  const ended = await Promise.all(["wait", "die"].map((command) => run({ command, words: [] })));
  expect(ended.map(({ code }) => code)).toEqual([undefined, undefined]);
  expect(clock.waiting()).toBe(1);
  const late = run({ command: "late", words: [] });
  clock.pass(120_000);
  expect(await late).toMatchObject({ code: 0, said: "late" });
});

test("the thread is gone after two minutes without a program, and there again for the next", async () => {
  const { run, clock } = programs();
  expect((await run(sh("exit 0"))).code).toBe(0);
  expect(clock.waiting()).toBe(1);
  clock.pass(120_000);
  expect((await run(sh("exit 1"))).code).toBe(1);
});
