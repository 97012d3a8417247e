// The supervisor as a process, over servers that do nothing but what they are told to.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isRunning } from "../../src/process-mark.ts";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";

const folder = temporaryFolder();

/** Says its pid, and what it hears of its supervisor; `body` is what else it does. */
const server = (body: string) => `
  process.on("message", (told) => {
    if (told.is === "ping") process.send({ is: "alive", debugged: false });
    else if (told.is === "signal") console.log("told", told.signal, told.count);
  });
  process.on("disconnect", () => console.log("alone"));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => console.log("got", signal));
  console.log("server", process.pid);
  ${body}
`;

let programs = 0;

function supervised(body: string, times: { pingEveryMs?: number } = {}) {
  const name = join(folder, `server-${programs++}`);
  writeFileSync(`${name}.mjs`, server(body));
  const begin = `import { supervise } from ${JSON.stringify(resolve("dist/supervisor.js"))};
    supervise(${JSON.stringify(`${name}.mjs`)}, ["start"], ${JSON.stringify(times)});`;
  writeFileSync(`${name}-supervisor.mjs`, begin);
  const child: ChildProcess = spawn(process.execPath, [`${name}-supervisor.mjs`], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true, // a process group of its own, as a shell gives it
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | NodeJS.Signals>((settle) =>
    child.once("exit", (code, signal) => settle(signal ?? code ?? 0)),
  );
  const servers = () => [...output.matchAll(/^server (\d+)$/gm)].map(([, pid]) => Number(pid));
  whenOver(() => {
    for (const pid of [child.pid ?? 0, ...servers()]) if (pid && isRunning({ pid })) process.kill(pid, "SIGKILL");
  });
  const says = (what: string | RegExp) => eventually(`it says ${what}`, async () => output.match(what) !== null);
  const nth = (count: number) => eventually(`server ${count}`, async () => servers()[count - 1]);
  return { child, ended, says, nth, output: () => output, pid: child.pid ?? 0, servers };
}

const READY = `process.send({ is: "ready" });`;

test("what dies is started again, at once and then more slowly, and the supervisor says so", async () => {
  const { nth, ended, pid, output } = supervised(READY);
  process.kill(await nth(1), "SIGKILL");
  process.kill(await nth(2), "SIGSEGV");
  await nth(3);
  const said = output()
    .match(/^\{.*has died and is started again.*$/gm)
    ?.map((line) => JSON.parse(line) as object);
  expect(said).toMatchObject([
    { level: "error", signal: "SIGKILL", deaths: 1, afterMs: 0 },
    { level: "error", signal: "SIGSEGV", deaths: 2, afterMs: 250 },
  ]);
  process.kill(pid, "SIGKILL");
  await ended;
});

test("what gives up is not started again", async () => {
  for (const code of [0, 1, 2, 3, 4]) {
    const { ended, servers } = supervised(`process.exit(${code});`);
    expect(await ended).toBe(code);
    expect(servers()).toHaveLength(1);
  }
});

test("what stands still is killed and started again", async () => {
  const hung = supervised(
    `${READY} setTimeout(() => { for (const end = performance.now() + 10_000; performance.now() < end; ); }, 300);`,
    { pingEveryMs: 100 },
  );
  await hung.nth(2);
  expect(hung.output()).toContain("the server hangs and is killed");

  process.kill(hung.pid, "SIGKILL");
  process.kill(await hung.nth(hung.servers().length), "SIGKILL");
});

test("Ctrl-C reaches both, and is one signal to the server; who signals the supervisor alone signals the server", async () => {
  const { says, pid, nth, ended, servers } = supervised("");
  const server = await nth(1);
  process.kill(-pid, "SIGINT");
  await says("got SIGINT");
  await says("told SIGINT 1");
  process.kill(pid, "SIGTERM");
  await says("told SIGTERM 2");
  process.kill(pid, "SIGTERM");
  expect(await ended).toBe(137);
  expect(isRunning({ pid: server })).toBe(false);
  expect(servers()).toHaveLength(1);
});

test("a server whose supervisor is killed goes on, and hears of it", async () => {
  const { says, pid, nth } = supervised(`${READY} setInterval(() => undefined, 1_000);`);
  const server = await nth(1);
  process.kill(pid, "SIGKILL");
  await says("alone");
  expect(isRunning({ pid: server })).toBe(true);
});
