// A real phone for tests: baresip without a sound card, driven over its control port.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bracketed } from "../../src/addresses.ts";
import { freePorts } from "../ground/free-ports.ts";

export type BaresipOptions = {
  user: string;
  password: string;
  /** What stands behind the @ of its address. */
  domain: string;
  /** host:port it sends to, when the domain does not say. */
  server: string;
  transport?: "udp" | "tcp" | "tls";
  /** Where it stands; 127.0.0.1 by default. */
  address?: string;
  /** Seconds it asks for when it registers; 0: not at all. */
  registerSeconds?: number;
  answerMode?: "manual" | "auto" | "early";
  /** 8 kHz mono 16-bit WAV that it plays to whoever is on the line. */
  plays?: string;
  codecs?: string;
  /** PEM file of the authorities a TLS server is believed by. */
  tlsAuthorities?: string;
  /** Further lines of its configuration, and further parameters of its account. */
  config?: string[];
  account?: string;
  /** Lines of its address book. */
  contacts?: string[];
};

/** What the control port says: an event or the answer to a command. */
export type Said = {
  event?: boolean;
  class?: string;
  type?: string;
  param?: string;
  response?: boolean;
  ok?: boolean;
  data?: string;
  token?: string;
  [more: string]: unknown;
};

export type Baresip = {
  /** The port it speaks SIP from over UDP. */
  sipPort: number;
  command(command: string, params?: string): Promise<Said>;
  /** The first event of that type that has not been waited for yet. */
  event(type: string, timeoutMs?: number): Promise<Said>;
  /** Events nobody waited for are not waited for any more. */
  forget(): void;
  isRegistered(): Promise<boolean>;
  registered(timeoutMs?: number): Promise<void>;
  dial(number: string): Promise<Said>;
  hangUp(): Promise<Said>;
  /** Files of what it heard ("dec") or said ("enc"): complete once it has told that the call is over. */
  recordings(side: "dec" | "enc"): Promise<string[]>;
  /** Lets it unregister and go. */
  quit(): Promise<void>;
  /** Pulls the plug. */
  kill(): Promise<void>;
};

const MODULES = ["/usr/lib/baresip/modules", "/usr/local/lib/baresip/modules"].find((path) => existsSync(path)) ?? "";

/** A phone does at once what it is told; only a machine that does much else at the same time makes it take so long. */
const PATIENCE_MS = 60_000;

export async function startBaresip(options: BaresipOptions): Promise<Baresip> {
  const folder = await mkdtemp(join(tmpdir(), "santral-phone-"));
  // TLS listens one port above, the control port comes after it, and media take an even pair each.
  const sipPort = await freePorts(3);
  const rtpPort = await freePorts(20);
  await writeFolder(folder, options, { sipPort, controlPort: sipPort + 2, rtpPort });
  const phone = spawn("baresip", ["-f", folder], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [phone.stdout, phone.stderr])
    stream.on("data", (text: Buffer) => {
      log = (log + text.toString()).slice(-20_000);
    });
  const gone = new Promise<void>((resolve) => phone.once("exit", () => resolve()));
  const control = await openControl(sipPort + 2, () => log, phone);
  const cleanUp = async () => {
    control.close();
    await rm(folder, { recursive: true, force: true });
  };
  const isRegistered = async () => /\bOK\b/.test(registrationLine((await control.command("reginfo")).data ?? ""));
  return {
    sipPort,
    command: control.command,
    event: control.event,
    forget: control.forget,
    isRegistered,
    registered: (timeoutMs = PATIENCE_MS) => until(isRegistered, timeoutMs, () => `phone not registered\n${log}`),
    async dial(number) {
      const said = await control.command("dial", number);
      if (said.ok === false) throw new Error(`the phone does not dial ${number}: ${JSON.stringify(said)}\n${log}`);
      return said;
    },
    hangUp: () => control.command("hangup"),
    recordings: async (side) =>
      (await readdir(join(folder, "rec")))
        .filter((name) => name.endsWith(`-${side}.wav`))
        .sort()
        .map((name) => join(folder, "rec", name)),
    async quit() {
      // It goes before it answers, as often as not.
      control.command("quit").catch(() => undefined);
      const impatience = setTimeout(() => phone.kill("SIGKILL"), PATIENCE_MS);
      await gone;
      clearTimeout(impatience);
      await cleanUp();
    },
    async kill() {
      phone.kill("SIGKILL");
      await gone;
      await cleanUp();
    },
  };
}

type Ports = { sipPort: number; controlPort: number; rtpPort: number };

async function writeFolder(folder: string, options: BaresipOptions, ports: Ports): Promise<void> {
  const { transport = "udp", registerSeconds = 60, answerMode = "manual", codecs = "pcma,pcmu" } = options;
  const { address = "127.0.0.1" } = options;
  await mkdir(join(folder, "rec"));
  const source = options.plays ? `aufile,${options.plays}` : "ausine,440";
  const config = [
    "poll_method epoll",
    `sip_listen ${bracketed(address)}:${ports.sipPort}`,
    `net_interface ${address}`,
    "call_local_timeout 120",
    "call_max_calls 4",
    "audio_player aubridge,sink",
    `audio_source ${source}`,
    "audio_alert aubridge,alert",
    ...["ausrc_srate 8000", "auplay_srate 8000", "ausrc_channels 1", "auplay_channels 1", "audio_buffer 20-160"],
    `rtp_ports ${ports.rtpPort}-${ports.rtpPort + 19}`,
    "rtcp_mux no",
    "jitter_buffer_delay 2-5",
    `module_path ${MODULES}`,
    ...["g711", "g722", "aufile", "ausine", "aubridge", "sndfile", "srtp"].map((name) => `module ${name}.so`),
    `snd_path ${join(folder, "rec")}`,
    ...["module_tmp uuid.so", "module_tmp account.so", "module_app menu.so", "module_app ctrl_tcp.so"],
    `ctrl_tcp_listen 127.0.0.1:${ports.controlPort}`,
    ...(options.tlsAuthorities ? [`sip_cafile ${options.tlsAuthorities}`, "sip_verify_server yes"] : []),
    ...(options.config ?? []),
  ];
  const account = [
    `<sip:${options.user}@${options.domain};transport=${transport}>`,
    `auth_user=${options.user};auth_pass=${options.password};regint=${registerSeconds}`,
    `outbound="sip:${options.server};transport=${transport}";answermode=${answerMode};audio_codecs=${codecs}`,
    ...(options.account ? [options.account] : []),
  ];
  await writeFile(join(folder, "config"), `${config.join("\n")}\n`);
  await writeFile(join(folder, "accounts"), `${account.join(";")}\n`);
  await writeFile(join(folder, "contacts"), `${(options.contacts ?? []).join("\n")}\n`);
}

/** Netstrings of JSON, both ways. */
async function openControl(port: number, log: () => string, phone: ChildProcess) {
  const socket = await connected(port, log, phone);
  const said: Said[] = [];
  const waiting = new Set<() => void>();
  let buffer = "";
  let tokens = 0;
  socket.setEncoding("latin1");
  socket.on("error", () => undefined);
  socket.on("data", (text: string) => {
    buffer += text;
    for (;;) {
      const colon = buffer.indexOf(":");
      const length = Number(buffer.slice(0, Math.max(0, colon)));
      if (colon < 0 || buffer.length < colon + length + 2) break;
      said.push(JSON.parse(buffer.slice(colon + 1, colon + 1 + length)) as Said);
      buffer = buffer.slice(colon + length + 2);
    }
    for (const look of [...waiting]) look();
  });

  const take = (fits: (one: Said) => boolean, timeoutMs: number, what: string) =>
    new Promise<Said>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`the phone never said ${what}\n${JSON.stringify(said)}\n${log()}`));
      }, timeoutMs);
      const look = () => {
        const at = said.findIndex(fits);
        if (at < 0) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(said.splice(at, 1)[0]!); // found just above
      };
      waiting.add(look);
      look();
    });

  return {
    command(command: string, params?: string): Promise<Said> {
      const token = `t${++tokens}`;
      const text = JSON.stringify({ command, params, token });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
      return take((one) => one.token === token, PATIENCE_MS, `the answer to ${command}`);
    },
    event: (type: string, timeoutMs = PATIENCE_MS) =>
      take((one) => one.event === true && one.type === type, timeoutMs, type),
    forget: () => void said.splice(0, said.length),
    close: () => socket.destroy(),
  };
}

async function connected(port: number, log: () => string, phone: ChildProcess): Promise<Socket> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    if (phone.exitCode !== null || phone.signalCode !== null) break;
    const socket = await new Promise<Socket | undefined>((resolve) => {
      const trying = connect(port, "127.0.0.1", () => resolve(trying));
      trying.once("error", () => resolve(undefined));
    });
    if (socket) return socket;
    await later(50);
  }
  phone.kill("SIGKILL");
  throw new Error(`baresip did not start\n${log()}`);
}

/** The line of the account in what `reginfo` prints, without colours. */
function registrationLine(text: string): string {
  return (
    text
      .replace(/\x1b\[[0-9;]*m/g, "")
      .split("\n")
      .find((line) => line.includes("sip:")) ?? ""
  );
}

async function until(holds: () => Promise<boolean>, timeoutMs: number, why: () => string): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(why());
    await later(50);
  }
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
