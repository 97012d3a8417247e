// A carrier played by SIPp: calls in with a tone, or takes a call and echoes what it hears.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pcma } from "../../src/codecs/pcma.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { whenOver } from "../ground/when-over.ts";

export type Sipp = {
  port: number;
  /** Its exit code once its calls are over, 0 when all went as the scenario says; and what it traced. */
  done: Promise<{ code: number; log: string }>;
  /** What is waited for while its call is up, unless the call fails: then why. */
  meanwhile<Value>(waited: Promise<Value>): Promise<Value>;
};

export type SippOptions = {
  address: string;
  scenario: string;
  /** host:port of the exchange, for a scenario that calls. */
  server?: string;
  number?: string;
  calls?: number;
  echo?: boolean;
};

export async function startSipp({ address, scenario, server, number, calls = 1, echo }: SippOptions): Promise<Sipp> {
  const folder = mkdtempSync(join(tmpdir(), "sipp-"));
  writeFileSync(join(folder, "scenario.xml"), scenario);
  writeFileSync(join(folder, "tone.al"), alawTone(1_200, 30));
  const port = await freePorts(1);
  const media = await freePorts(8);
  const child = spawn(
    "sipp",
    [
      ...(server === undefined ? [] : [server]),
      ...["-sf", "scenario.xml", "-i", address, "-p", String(port), "-mi", address, "-mp", String(media)],
      ...["-m", String(calls), "-nostdin", "-trace_err", "-error_file", "errors.log"],
      ...(number === undefined ? [] : ["-s", number]),
      ...(echo ? ["-rtp_echo"] : []),
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  );
  const done = over(child, join(folder, "errors.log"));
  whenOver(async () => {
    if (child.kill("SIGKILL")) await done;
    rmSync(folder, { recursive: true, force: true });
  });
  const failed = done.then(({ code, log }) => {
    if (code !== 0) throw new Error(`SIPp ended with ${code}:\n${log}`);
  });
  failed.catch(() => undefined); // told to whoever waits meanwhile
  const meanwhile = <Value>(waited: Promise<Value>) => Promise.race([waited, failed.then(() => waited)]);
  await eventually("SIPp listens", async () => child.exitCode !== null || isTakenUdp(address, port));
  return { port, done, meanwhile };
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

function over(child: ChildProcess, errors: string): Promise<{ code: number; log: string }> {
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => {
      log = (log + text.toString()).slice(-8_000);
    });
  return new Promise((resolve) =>
    child.once("exit", (code) => {
      const traced = existsSync(errors) ? readFileSync(errors, "utf8").slice(0, 4_000) : "";
      resolve({ code: code ?? -1, log: traced + log });
    }),
  );
}

/** Calls, says its tone for three seconds and hangs up. */
export const callsIn = (caller: string) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="calls in">
  <send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:${caller}@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:carrier@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

${sdpLines("[rtpstream_audio_port]")}
  ]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rrs="true"/>
  <send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:${caller}@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

  ]]></send>
  <nop><action><exec rtp_stream="tone.al,1,8,PCMA/8000"/></action></nop>
  <pause milliseconds="3000"/>
  <send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:${caller}@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

  ]]></send>
  <recv response="200"/>
</scenario>
`;

/** Rings, answers and stays until the caller hangs up; with -rtp_echo the caller hears himself. */
export const takesCall = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="takes a call">
  <recv request="INVITE"/>
  <send><![CDATA[
SIP/2.0 180 Ringing
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:carrier@[local_ip]:[local_port]>
Content-Length: 0

  ]]></send>
  <pause milliseconds="300"/>
  <send retrans="500"><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:];tag=sipp[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:carrier@[local_ip]:[local_port]>
Content-Type: application/sdp
Content-Length: [len]

${sdpLines("[media_port]")}
  ]]></send>
  <recv request="ACK"/>
  <recv request="BYE"/>
  <send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

  ]]></send>
</scenario>
`;

function sdpLines(port: string): string {
  return [
    ...["v=0", "o=carrier 1 1 IN IP4 [local_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0"],
    ...[`m=audio ${port} RTP/AVP 8`, "a=rtpmap:8 PCMA/8000"],
  ].join("\n");
}

function alawTone(hz: number, seconds: number): Buffer {
  const samples = Int16Array.from(
    { length: 8_000 * seconds },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * hz * at) / 8_000),
  );
  const encode = pcma.openEncoder();
  const octets = Buffer.alloc(samples.length);
  for (let at = 0; at < samples.length; at += 160) encode(samples.subarray(at, at + 160), octets, at);
  return octets;
}
