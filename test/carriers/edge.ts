// The Kamailio that we ship for the edge, in front of an exchange: as an operator sets it up, on an address of its own.

import { createSocket } from "node:dgram";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { startProgram } from "../ground/program.ts";
import { whenOver } from "../ground/when-over.ts";

export type Edge = {
  at: string;
  /** Where phones come over TLS. */
  secureAt: string;
  /** The calls whose voice has gone through its relay, by their Call-ID. */
  relayed(): string[];
};

export type EdgeOptions = {
  /** Where it listens. */
  address: string;
  /** host:port of each exchange behind it. */
  nodes: string[];
  /** Voice goes through an rtpengine beside it. */
  relays?: boolean;
  /** PEM files: phones may come over TLS, too. */
  tls?: { certificate: string; key: string };
  /** So many of its own for voice; a few by default. */
  voicePorts?: { from: number; to: number };
};

/** The shipped file as it is; what is the operator's own beside it. */
export async function startEdge({ address, nodes, relays, tls, voicePorts }: EdgeOptions): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), "edge-"));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePorts(2);
  const config = join(folder, "kamailio.cfg");
  copyFileSync("deploy/edge/kamailio.cfg", config);
  writeFileSync(join(folder, "nodes.list"), nodes.map((node) => `1 sip:${node}\n`).join(""));
  const relay = relays ? await startRelay(address, folder, voicePorts) : undefined;
  const own = [
    `listen=udp:${address}:${port}`,
    `listen=tcp:${address}:${port}`,
    `#!substdef "!NODE_LIST!\\"${folder}/nodes.list\\"!g"`,
    ...(relay ? [`#!define RTPENGINE "udp:${relay.control}"`] : []),
    ...(tls
      ? [
          `listen=tls:${address}:${port + 1}`,
          `#!define TLS_CERTIFICATE "${tls.certificate}"`,
          `#!define TLS_KEY "${tls.key}"`,
        ]
      : []),
  ];
  writeFileSync(join(folder, "edge.cfg"), `${own.join("\n")}\n`);
  const words = ["-f", config, "-DD", "-E", "-Y", folder, "-P", join(folder, "pid"), "-m", "32", "-M", "4"];
  const kamailio = await startProgram("kamailio", words, () => true);
  await eventually("the edge answers", () => answersOptions({ address, port })).catch((error: Error) => {
    throw new Error(`${error.message}\n${kamailio.said()}`);
  });
  return { at: `${address}:${port}`, secureAt: `${address}:${port + 1}`, relayed: () => relay?.calls() ?? [] };
}

/** `control`: where it is told what to do. */
async function startRelay(
  address: string,
  folder: string,
  voice: EdgeOptions["voicePorts"],
): Promise<{ control: string; calls(): string[] }> {
  const control = `127.0.0.1:${await freePorts(1)}`;
  const from = voice?.from ?? (await freePorts(40));
  const words = [
    // Without what the package says: a port of its own for commands, which another relay here may have.
    ...["--config-file=none", "--foreground", "--log-stderr", "--log-level=6", "--table=-1"],
    `--pidfile=${join(folder, "rtpengine.pid")}`,
    ...[
      `--interface=${address}`,
      `--listen-ng=${control}`,
      `--port-min=${from}`,
      `--port-max=${voice?.to ?? from + 39}`,
    ],
  ];
  const relay = await startProgram("rtpengine", words, (said) => said.includes("Startup complete"));
  const calls = () => [...relay.said().matchAll(/\[([^\]]+)\]: \[core\] Creating new call/g)].map(([, id = ""]) => id);
  return { control, calls };
}

async function answersOptions({ address, port }: { address: string; port: number }): Promise<boolean> {
  const socket = createSocket("udp4");
  const answer = new Promise<boolean>((resolve) => {
    socket.once("message", (text) => resolve(text.toString().startsWith("SIP/2.0 200")));
    setTimeout(() => resolve(false), 500);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const from = `127.0.0.1:${socket.address().port}`;
  const lines = [
    `OPTIONS sip:${address}:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${Math.random().toString(36).slice(2)};rport`,
    "Max-Forwards: 70",
    `From: <sip:test@${from}>;tag=1`,
    `To: <sip:${address}:${port}>`,
    `Call-ID: ${Math.random().toString(36).slice(2)}@${from}`,
    "CSeq: 1 OPTIONS",
    "Content-Length: 0",
  ];
  socket.send(`${lines.join("\r\n")}\r\n\r\n`, port, address);
  const isThere = await answer;
  socket.close();
  return isThere;
}
