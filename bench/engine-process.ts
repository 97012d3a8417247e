// The media engine alone, in a process of its own on the server's core, which is asked for calls and nothing else.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { type CodecName, codecs } from "../src/codecs/codec.ts";
import { openEmbeddedEngine } from "../src/media/embedded/embedded.ts";
import { CALLEES_PORT, CALLERS_PORT } from "./rtp-load.ts";
import { pinned, SERVER_CORE } from "./two-cores.ts";

/** The codecs of caller and callee. */
export type Pair = { a: CodecName; b: CodecName };

export type EngineProcess = {
  pid: number;
  /** The port facing the caller and the port facing the callee of each call, one after the other. */
  connect(pair: Pair, calls: number): Promise<number[]>;
  stop(): Promise<void>;
};

/** This same bench again, with `engine` for its first word: there it calls serveEngine. */
export async function startEngine(flags: readonly string[] = []): Promise<EngineProcess> {
  const node = [...flags, ...process.execArgv, process.argv[1]!, "engine"];
  const child = pinned(SERVER_CORE, [process.execPath, ...node], { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("the engine has no pipes");
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    pid: child.pid!, // it has said that it is ready
    async connect({ a, b }, calls) {
      stdin.write(`${JSON.stringify({ a, b, calls })}\n`);
      return JSON.parse((await lines.next()).value as string) as number[];
    },
    async stop() {
      const ended = once(child, "exit");
      stdin.end();
      await ended;
    },
  };
}

/** The other half of startEngine. */
export async function serveEngine(): Promise<void> {
  const engine = await openEmbeddedEngine({
    workers: 1,
    portRange: [22_000, 29_999],
    address: "127.0.0.1",
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: console,
  });
  console.log("ready");
  for await (const line of createInterface(process.stdin)) {
    const { a, b, calls } = JSON.parse(line) as Pair & { calls: number };
    const ports: number[] = [];
    for (let call = 0; call < calls; call++) {
      const caller = await engine.open();
      const callee = await engine.open({ near: caller.stream });
      const parties = [
        [caller.stream, a, CALLERS_PORT],
        [callee.stream, b, CALLEES_PORT],
      ] as const;
      for (const [stream, codec, port] of parties)
        await engine.settle(stream, {
          codec,
          payloadType: codecs[codec].payloadType,
          telephoneEvent: 101,
          remote: { address: "127.0.0.1", port },
          direction: "sendrecv",
        });
      await engine.join(caller.stream, callee.stream);
      ports.push(caller.port, callee.port);
    }
    console.log(JSON.stringify(ports));
  }
  await engine.stop();
}
