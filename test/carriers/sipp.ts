// SIPp for tests and benches: somebody else's SIP that calls, takes calls or registers, and what became of it.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pcma } from "../../src/codecs/pcma.ts";
import { pcmu } from "../../src/codecs/pcmu.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { TONE_HZ } from "./sipp-scenarios.ts";

export type SippOptions = {
  /** XML, or one of those that SIPp brings along. */
  scenario: string | { builtIn: "uac" | "uas" };
  address?: string;
  /** host:port of the exchange, for a scenario that calls. */
  server?: string;
  /** Whom it calls. */
  number?: string;
  /** One line an account, fields parted by semicolons; taken in turn. */
  accounts?: readonly string[];
  /** It ends after so many; without, it goes on until it is ended. */
  calls?: number;
  /** Calls a second. */
  rate?: number;
  transport?: "udp" | "tcp";
  /** Whoever calls hears himself. */
  echo?: boolean;
  extra?: readonly string[];
  /** Starts the program; a bench chooses the core. */
  launch?(words: string[], options: SpawnOptions): ChildProcess;
};

type Count = { done: number; failed: number; retransmissions: number };

/** All went as the scenario says if `code` is 0; `log` is what it traced. */
export type SippResult = Count & {
  code: number;
  log: string;
  /** What calls were answered that the scenario does not expect, and how often. */
  unexpected: Record<string, number>;
  seconds: number;
  /** The counts as they stood at each second. */
  history: (Count & { elapsedSeconds: number })[];
};

export type Sipp = {
  port: number;
  pid: number;
  /** Once its calls are over. */
  done: Promise<SippResult>;
  /** What is waited for while its call is up, unless the call fails: then why. */
  meanwhile<Value>(waited: Promise<Value>): Promise<Value>;
  end(): Promise<void>;
};

/** Kept once it listens. */
export async function startSipp(options: SippOptions): Promise<Sipp> {
  const { address = "127.0.0.1", launch = launchHere, transport = "udp" } = options;
  const folder = mkdtempSync(join(tmpdir(), "sipp-"));
  const port = await freePorts(1);
  const began = performance.now();
  const child = launch(
    [
      ...wordsOf(options, folder),
      ...["-i", address, "-p", String(port), "-mi", address, "-mp", String(await freePorts(8))],
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  );
  const done = over(child, folder, began);
  const failed = done.then(({ code, log }) => {
    if (code !== 0) throw new Error(`SIPp ended with ${code}:\n${log}`);
  });
  failed.catch(() => undefined); // told to whoever waits meanwhile
  const listens = () => child.exitCode !== null || transport !== "udp" || isTakenUdp(address, port);
  await eventually("SIPp listens", async () => listens());
  return {
    port,
    pid: child.pid ?? 0,
    done,
    meanwhile: (waited) => Promise.race([waited, failed.then(() => waited)]),
    end: async () => {
      if (child.exitCode === null) child.kill("SIGKILL");
      await done;
    },
  };
}

/** From its first call to its last. */
export async function runSipp(options: SippOptions & { calls: number }): Promise<SippResult> {
  return (await startSipp(options)).done;
}

function launchHere([program = "", ...rest]: string[], options: SpawnOptions): ChildProcess {
  return spawn(program, rest, options);
}

function wordsOf(options: SippOptions, folder: string): string[] {
  const { scenario, server, number, accounts, calls, rate, transport = "udp", echo, extra = [] } = options;
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  file("tone.al", tone(pcma, TONE_HZ.PCMA));
  file("tone.ul", tone(pcmu, TONE_HZ.PCMU));
  file("key.al", spoken(pcma, KEY_SEVEN));
  return [
    ...["sipp", ...(server === undefined ? [] : [server])],
    ...(typeof scenario === "string" ? ["-sf", file("scenario.xml", scenario)] : ["-sn", scenario.builtIn]),
    ...(accounts ? ["-inf", file("accounts.csv", `SEQUENTIAL\n${accounts.join("\n")}\n`)] : []),
    ...(number === undefined ? [] : ["-s", number]),
    ...(calls === undefined ? [] : ["-m", String(calls)]),
    ...(rate === undefined ? [] : ["-r", String(rate), "-l", "200000"]),
    ...["-t", transport === "udp" ? "u1" : "t1", "-nostdin", "-buff_size", "4194304"],
    ...["-trace_stat", "-stf", STATS, "-fd", "1", "-trace_err", "-error_file", ERRORS],
    ...(echo ? ["-rtp_echo"] : []),
    ...extra,
  ];
}

const STATS = "stats.csv";
const ERRORS = "errors.log";

/** What it says goes by the end of its output, since it draws whole screens. */
function over(child: ChildProcess, folder: string, began: number): Promise<SippResult> {
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => {
      said = (said + text.toString()).slice(-8_000);
    });
  return new Promise((resolve) =>
    child.once("exit", (code) => {
      const seconds = (performance.now() - began) / 1_000;
      const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
      const history = readStats(read(STATS));
      const { done, failed, retransmissions } = history.at(-1) ?? { done: 0, failed: 0, retransmissions: 0 };
      const errors = read(ERRORS);
      const log = errors.slice(0, 4_000) + said;
      rmSync(folder, { recursive: true, force: true });
      resolve({
        code: code ?? -1,
        log,
        unexpected: unexpectedIn(errors),
        seconds,
        history,
        done,
        failed,
        retransmissions,
      });
    }),
  );
}

const UNEXPECTED =
  /unexpected message for Call-Id '[^']*': while expecting '[^']*' \(index \d+\), received 'SIP\/2\.0 ([^\r\n]*)/g;

function unexpectedIn(errors: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, status = ""] of errors.matchAll(UNEXPECTED)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function readStats(csv: string): SippResult["history"] {
  const [names = [], ...rows] = csv
    .trim()
    .split("\n")
    .map((row) => row.split(";"));
  return rows.map((row) => {
    const column = (name: string) => row[names.indexOf(name)] ?? "";
    return {
      elapsedSeconds: elapsedSeconds(column("ElapsedTime(C)")),
      done: Number(column("SuccessfulCall(C)")),
      failed: Number(column("FailedCall(C)")),
      retransmissions: Number(column("Retransmissions(C)")),
    };
  });
}

/** SIPp writes 00:00:05:003000: hours, minutes, seconds, microseconds. */
function elapsedSeconds(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0, micros = 0] = text.split(":").map(Number);
  return hours * 3_600 + minutes * 60 + seconds + micros / 1e6;
}

/** By the system's list: a socket of ours that tries the port would take it away from who is about to open it. */
function isTakenUdp(address: string, port: number): boolean {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  const host = address
    .split(".")
    .reverse()
    .map((octet) => hex(Number(octet), 2))
    .join("");
  return readFileSync("/proc/net/udp", "utf8").includes(`: ${host}:${hex(port, 4)} `);
}

const TONE_SECONDS = 30;

const wave = (hz: number, at: number) => 8_000 * Math.sin((2 * Math.PI * hz * at) / 8_000);

/** The key 7 for a fifth of a second, and silence for the rest of one. */
const KEY_SEVEN = Int16Array.from({ length: 8_000 }, (_, at) => (at < 1_600 ? wave(852, at) + wave(1_209, at) : 0));

function tone(codec: typeof pcma | typeof pcmu, hz: number): Buffer {
  return spoken(
    codec,
    Int16Array.from({ length: 8_000 * TONE_SECONDS }, (_, at) => wave(hz, at)),
  );
}

function spoken({ openEncoder }: typeof pcma | typeof pcmu, samples: Int16Array): Buffer {
  const encode = openEncoder();
  const octets = Buffer.alloc(samples.length);
  for (let at = 0; at < samples.length; at += 160) encode(samples.subarray(at, at + 160), octets, at);
  return octets;
}
