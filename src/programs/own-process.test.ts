// What a process of ours can do that strangers have misled: speak through the sockets it was given, and nothing else.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childrenOf } from "../../test/ground/children.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { canWall } from "../../test/ground/walls.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { type OwnProcess, startOwnProcess } from "./own-process.ts";

const HERE = "127.0.0.1";

/** Does as it is told, and says what came of it. */
const PROGRAM = `
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
const acts = {
  settings: () => process.argv[2],
  environment: () => Object.keys(process.env).filter((name) => name.startsWith("SANTRAL")),
  list: (path) => readdirSync(path),
  read: (path) => readFileSync(path, "utf8"),
  write: (path) => writeFileSync(path, "written"),
  call: (port) => new Promise((settle, fail) => connect(port, "${HERE}", () => settle("heard")).on("error", fail)),
  signal: (pid) => process.kill(pid, 0),
  say: (port, socket) => new Promise((settle, fail) =>
    socket.send("hello", port, "${HERE}", (error) => (error ? fail(error) : settle(socket.address().port)))),
  sayOwn: (port) => new Promise((settle, fail) =>
    createSocket("udp4").send("hello", port, "${HERE}", (error) => (error ? fail(error) : settle("sent")))),
  limit: (option) => execFileSync("sh", ["-c", "ulimit " + option + " || ulimit -u"], { encoding: "utf8" }).trim(),
  fill: () => { const held = []; for (let n = 0; n < 100; n++) held.push(Buffer.alloc(20_000_000, 1)); },
};
process.on("message", async ([act, word], socket) => {
  try { process.send({ done: (await acts[act](word, socket)) ?? null }); }
  catch (error) { process.send({ failed: error.code ?? String(error) }); }
});
process.on("disconnect", () => process.exit(0));
`;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-process-"));
  for (const name of ["program", "given", "made"]) await mkdir(join(folder, name));
  program = join(folder, "program", "program.mjs");
  await writeFile(program, PROGRAM);
  await writeFile(join(folder, "given", "page"), "a page");
  await writeFile(join(folder, "secret"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

type Said = { done: unknown } | { failed: string };

function started(given: Partial<OwnProcess> = {}) {
  const sight = { reads: [join(folder, "given")], writes: [join(folder, "made")] };
  const child = startOwnProcess({
    path: program,
    settings: { some: "setting" },
    memoryMb: 1_000,
    sight,
    network: "none",
    ...given,
  });
  whenOver(() => void child.kill("SIGKILL"));
  const ask = async (act: string, word?: string | number, socket?: Socket): Promise<Said> => {
    const answer = once(child, "message");
    child.send([act, word], socket, {}, () => undefined);
    const [said] = (await answer) as [Said];
    return said;
  };
  return { child, ask };
}

test("it is told its settings alone, and speaks through the socket that it is handed", async () => {
  const { ask } = started();
  expect(await ask("settings")).toEqual({ done: '{"some":"setting"}' });
  expect(await ask("environment")).toEqual({ done: [] });
  const [other, own] = [await bound(), await bound()];
  const heard = once(other, "message");
  expect(await ask("say", other.address().port, own)).toEqual({ done: own.address().port });
  expect(String((await heard)[0])).toBe("hello");
});

test("it reads and writes what it is for, and leaves with the server", async () => {
  const { child, ask } = started();
  expect(await ask("read", join(folder, "given", "page"))).toEqual({ done: "a page" });
  expect(await ask("write", join(folder, "made", "x"))).toEqual({ done: null });
  expect(await readFile(join(folder, "made", "x"), "utf8")).toBe("written");
  const gone = once(child, "exit");
  child.disconnect();
  expect(await gone).toEqual([0, null]);
});

test("it gets no more memory than it may have", async () => {
  const { child, ask } = started({ memoryMb: 600 });
  const gone = once(child, "exit").then(() => "gone");
  // The last piece is refused to it, or ends it.
  expect(await Promise.race([gone, ask("fill")])).not.toHaveProperty("done");
});

test("it writes no file without an end, opens no files without end, and leaves no core", async () => {
  const { ask } = started();
  expect(await ask("limit", "-f")).toEqual({ done: `${1_024 * 2_048}` });
  expect(Number(((await ask("limit", "-n")) as { done: string }).done)).toBeLessThanOrEqual(16_384);
  expect(await ask("limit", "-c")).toEqual({ done: "0" });
});

describe.skipIf(!canWall)("behind walls", () => {
  test("it starts no processes without end", async () => {
    expect(await started().ask("limit", "-p")).toEqual({ done: "256" });
  });

  test("it sees nothing of the machine, and makes nothing but what it is for", async () => {
    const { ask } = started();
    expect(await ask("read", join(folder, "secret"))).toEqual({ failed: "ENOENT" });
    expect(await ask("read", "/etc/passwd")).toEqual({ failed: "ENOENT" });
    expect(await ask("list", "/proc")).toEqual({ failed: "ENOENT" });
    expect(await ask("write", join(folder, "given", "page"))).toEqual({ failed: "EROFS" });
    expect(await ask("write", program)).toEqual({ failed: "EROFS" });
    expect(await ask("write", "/x")).toEqual({ failed: "EROFS" });
    expect(await ask("signal", process.pid)).toEqual({ failed: "ESRCH" });
  });

  test("it has no network of its own, unless it is one that opens sockets by itself", async () => {
    const server = createServer((socket) => socket.end()).listen(0, HERE);
    whenOver(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const alone = started();
    expect(await alone.ask("call", port)).toHaveProperty("failed");
    expect(await alone.ask("sayOwn", port)).toHaveProperty("failed");
    expect(await started({ network: "shared" }).ask("call", port)).toEqual({ done: "heard" });
  });

  test("killed, nothing of it is left", async () => {
    const { child, ask } = started();
    await ask("settings");
    const all = treeBelow(child.pid!); // it has answered
    expect(all.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await eventually("all have ended", async () => all.every((pid) => !existsSync(`/proc/${pid}`)));
  });
});

test("where no walls can be built it runs all the same", async () => {
  const before = process.env.PATH;
  const without = join(folder, "without");
  await mkdir(without);
  await writeFile(join(without, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  process.env.PATH = `${without}:${before}`;
  whenOver(() => {
    process.env.PATH = before;
  });
  const { ask } = started();
  expect(await ask("read", join(folder, "secret"))).toEqual({ done: "secret" });
});

const treeBelow = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...treeBelow(child)]);

async function bound(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, HERE);
  await once(socket, "listening");
  whenOver(() => {
    try {
      socket.close();
    } catch {
      // It was handed on.
    }
  });
  return socket;
}
