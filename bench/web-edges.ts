// What stands between browsers and plain telephones, each as a process on core 0: our media threads, the gateway's process as
// it was before, and rtpengine.

import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pause, realClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { openWebGateway } from "../src/media/webrtc/gateway.ts";
import { cpuMsIn, residentMbOf, threadsOf, treeOf } from "./process-cpu.ts";

const HOST = "127.0.0.1";

export type WebEdge = {
  name: string;
  cpuSeconds(): number;
  residentMegabytes(): number;
  /** A browser offers, and a telephone at that port is at the other end. */
  connect(offer: string, phonePort: number): Promise<Connected>;
  stop(): Promise<void>;
};

/** What the browser is told, and where the telephone speaks to; without a browser, where a second one does. */
export type Connected = { sdp?: string; port: number; second?: number };

/** The bench itself once more, by one of its parts. */
export type Part = "threads" | "phones alone" | "bare relay";

export async function startPart(part: Part, ports: number): Promise<WebEdge> {
  const words = [process.argv[1]!, part, String(ports)]; // this very file
  const child = spawn("taskset", ["-c", "0", process.execPath, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    name: part,
    ...usageOf(() => child.pid!), // it has answered
    async connect(offer, phonePort) {
      child.stdin.write(`${JSON.stringify({ offer, phonePort })}\n`);
      return JSON.parse((await lines.next()).value as string) as Connected;
    },
    stop: () => end(child),
  };
}

/** Its own half alone: what the media threads do beside it comes on top. */
export async function formerGateway(ports: number, calls: number): Promise<WebEdge> {
  const gateway = openWebGateway({
    clock: realClock,
    log: silentLog,
    processPath: "dist/webrtc-gateway.js",
    settings: {
      ...{ bind: [HOST], reachableAt: [HOST], inside: HOST },
      ...{ mostPeers: calls, ports: { from: ports, to: ports + 2 * calls + 1 } },
    },
  });
  gateway.warm();
  return {
    name: "gateway process",
    ...usageOf(() => gateway.pid()!), // it was started
    async connect(offer, phonePort) {
      const peer = gateway.open({ enginePort: phonePort, lost: (why) => console.error(why) });
      const answered = await peer.answer(offer, ["PCMA"]);
      if ("refused" in answered) throw new Error(answered.refused);
      return { sdp: answered.sdp, port: answered.agreed.remote.port };
    },
    stop: () => gateway.stop(),
  };
}

export async function rtpengine(ports: number): Promise<WebEdge> {
  const control = ports - 2;
  const words = [
    ..."-c 0 rtpengine --config-file=none --table=-1 --foreground --log-stderr --log-level=2 --num-threads=1".split(
      " ",
    ),
    ..."--interface=127.0.0.1 --delete-delay=0".split(" "),
    ...[`--port-min=${ports}`, `--port-max=${ports + 3999}`, `--listen-ng=${HOST}:${control}`],
  ];
  const child = spawn("taskset", words, { stdio: "ignore" });
  const socket = createSocket("udp4");
  let cookie = 0;
  const ask = async (message: Bencodable) => {
    const id = String(++cookie);
    for (let tries = 0; tries < 20 && child.exitCode === null; tries++) {
      const reply = once(socket, "message", { signal: AbortSignal.timeout(500) });
      socket.send(`${id} ${bencode(message)}`, control, HOST);
      const got = await reply.then(([bytes]) => String(bytes)).catch(() => "");
      if (got.startsWith(`${id} `)) return got;
    }
    throw new Error("rtpengine is not installed, or does not answer");
  };
  await ask({ command: "ping" });
  return {
    name: "rtpengine",
    ...usageOf(() => child.pid!), // it answered
    async connect(offer, phonePort) {
      const about = { "call-id": `bench-${cookie}`, "from-tag": "browser" };
      const plain = { ICE: "remove", DTLS: "off", "transport-protocol": "RTP/AVP", "rtcp-mux": ["demux"] };
      const told = sdpIn(await ask({ command: "offer", ...about, ...plain, sdp: offer }));
      const web = { ICE: "force", DTLS: "passive", "transport-protocol": "UDP/TLS/RTP/SAVPF", "rtcp-mux": ["require"] };
      const phone = phoneSdp(phonePort);
      const sdp = sdpIn(await ask({ command: "answer", ...about, "to-tag": "phone", ...web, sdp: phone }));
      return { sdp, port: Number(/m=audio (\d+)/.exec(told)?.[1]) };
    },
    async stop() {
      socket.close();
      await end(child);
    },
  };
}

function phoneSdp(port: number): string {
  const head = `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n`;
  const events = "a=rtpmap:126 telephone-event/8000\r\na=sendrecv\r\n";
  return `${head}m=audio ${port} RTP/AVP 8 126\r\na=rtpmap:8 PCMA/8000\r\n${events}`;
}

type Bencodable = string | string[] | { [key: string]: Bencodable };

function bencode(value: Bencodable): string {
  if (typeof value === "string") return `${Buffer.byteLength(value)}:${value}`;
  if (Array.isArray(value)) return `l${value.map(bencode).join("")}e`;
  const parts = Object.entries(value).map(([key, inner]) => bencode(key) + bencode(inner));
  return `d${parts.join("")}e`;
}

function sdpIn(reply: string): string {
  const [, length = "0"] = /3:sdp(\d+):/.exec(reply) ?? [];
  const from = reply.indexOf(`3:sdp${length}:`) + `3:sdp${length}:`.length;
  if (length === "0") throw new Error(`rtpengine says ${reply}`);
  return reply.slice(from, from + Number(length));
}

function usageOf(pid: () => number) {
  return {
    cpuSeconds: () => cpuMsIn(treeOf(pid()).flatMap(threadsOf)) / 1_000,
    residentMegabytes: () => treeOf(pid()).reduce((sum, one) => sum + residentMbOf(one), 0),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([ended, pause(realClock, 5_000)]);
}
