// Another real phone for tests: linphonec without a sound card, driven by the lines one would type.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";

export type LinphonecOptions = {
  user: string;
  password: string;
  /** What stands behind the @ of its address. */
  domain: string;
  /** host:port it sends to. */
  server: string;
  transport?: "udp" | "tcp";
  /** Seconds it asks for when it registers. */
  registerSeconds?: number;
  /** 8 kHz mono 16-bit WAV that it plays to whoever is on the line. */
  plays?: string;
  /** In order; those of 8 kHz. */
  codecs?: readonly string[];
  /** Encrypts by keys in SDP, and takes nothing else; by default not at all. */
  encrypts?: boolean;
  /** Its keys are tones in its voice; by default events (RFC 4733). */
  tonesForKeys?: boolean;
  /** Where it fetches its account from, which it then knows nothing else of. */
  provisionedFrom?: string;
  /** Further lines of its configuration, by section. */
  config?: Record<string, readonly string[]>;
};

export type Linphonec = {
  /** The port it speaks SIP from. */
  sipPort: number;
  /** Types a line. */
  types(line: string): void;
  /** The first thing it says that fits and has not been waited for yet. */
  says(what: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** What it said and nobody waited for is not waited for any more. */
  forget(): void;
  registered(): Promise<void>;
  /** A number or an address. */
  dial(number: string): void;
  /** Waits until it rings: the address it shows. */
  rings(timeoutMs?: number): Promise<string>;
  /** Picks up, and waits until voice goes both ways. */
  answers(): Promise<void>;
  hangUp(): void;
  /** What it heard, one call after the other in one file: for `earOf`. */
  recordings(): Promise<string[]>;
  /** Everything it has said. */
  log(): string;
  kill(): Promise<void>;
};

/** A phone does at once what it is told; only a machine that does much else at the same time makes it take so long. */
const PATIENCE_MS = 60_000;

export async function startLinphonec(options: LinphonecOptions): Promise<Linphonec> {
  const folder = mkdtempSync(join(tmpdir(), "santral-linphonec-"));
  const [sipPort, rtpPort] = [await freePorts(1), await freePorts(20)];
  const tape = join(folder, "heard.wav");
  mkdirSync(join(folder, ".local/share/linphone"), { recursive: true }); // without it it never registers
  writeFileSync(join(folder, "linphonerc"), configOf(options, { sipPort, rtpPort }));
  const phone = spawn("linphonec", ["-c", join(folder, "linphonerc"), "-d", "0"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, HOME: folder },
  });
  phone.stdin.on("error", () => undefined); // it may have gone already
  const gone = new Promise<void>((resolve) => phone.once("exit", () => resolve()));
  const { says, forget, log } = listenTo([phone.stdout, phone.stderr], gone);
  const types = (line: string) => void phone.stdin.write(`${line}\n`);
  await says(/linphonec> /);
  types("soundcard use files");
  await says(/Using wav files/);
  if (options.plays !== undefined) types(`play ${options.plays}`);
  types(`record ${tape}`); // once and for all: said while it rings, it dies of it
  return {
    sipPort,
    types,
    says,
    forget,
    log,
    registered: () =>
      eventually("linphonec is registered", async () => {
        types("status register");
        return !(await says(/registered(,|=-1|=0)/))[0].includes("=");
      }).then(() => undefined),
    dial: (number) => types(`call ${number}`),
    rings: async (timeoutMs) => (await says(/incoming call from (.*), assigned id/, timeoutMs))[1] ?? "",
    async answers() {
      types("answer");
      await says(/Media streams established/);
    },
    hangUp: () => types("terminate"),
    recordings: async () => (existsSync(tape) ? [tape] : []),
    async kill() {
      phone.kill("SIGKILL");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Ports = { sipPort: number; rtpPort: number };

function accountOf({ user, password, domain, server, transport = "udp", registerSeconds = 60 }: LinphonecOptions) {
  return {
    auth_info_0: [`username=${user}`, `passwd=${password}`, `realm=${domain}`, `domain=${domain}`],
    proxy_0: [
      `reg_proxy=<sip:${server};transport=${transport}>`,
      `reg_route=<sip:${server};transport=${transport};lr>`,
      `reg_identity=<sip:${user}@${domain}>`,
      ...[`reg_expires=${registerSeconds}`, "reg_sendregister=1", "publish=0", "avpf=0"],
    ],
  };
}

function configOf(options: LinphonecOptions, { sipPort, rtpPort }: Ports): string {
  const { transport = "udp", codecs = ["PCMA", "PCMU"], encrypts = false, tonesForKeys = false } = options;
  const sections: Record<string, readonly string[]> = {
    sip: [
      ...["default_proxy=0", "use_ipv6=0", `media_encryption=${encrypts ? "srtp" : "none"}`],
      ...(encrypts ? ["media_encryption_mandatory=1"] : []),
      ...[`sip_port=${transport === "udp" ? sipPort : 0}`, `sip_tcp_port=${transport === "tcp" ? sipPort : 0}`],
      ...["sip_tls_port=0", "inc_timeout=120"],
    ],
    rtp: [`audio_rtp_port=${rtpPort}-${rtpPort + 18}`],
    video: ["capture=0", "display=0", "automatically_initiate=0", "automatically_accept=0"],
    sound: ["echocancellation=0"],
    misc: ["add_missing_audio_codecs=0", "store_friends=0"],
    ...(options.provisionedFrom === undefined ? accountOf(options) : {}),
  };
  if (options.provisionedFrom !== undefined)
    sections.misc = [...(sections.misc ?? []), `config-uri=${options.provisionedFrom}`];
  for (const [at, codec] of [...codecs, ...(tonesForKeys ? [] : ["telephone-event"])].entries())
    sections[`audio_codec_${at}`] = [`mime=${codec}`, "rate=8000", "channels=1", "enabled=1"];
  for (const [name, lines] of Object.entries(options.config ?? {}))
    sections[name] = [...(sections[name] ?? []), ...lines];
  return Object.entries(sections)
    .map(([name, lines]) => `[${name}]\n${lines.join("\n")}\n`)
    .join("\n");
}

/** What it says and when it says it; a phone that has gone says nothing any more. */
function listenTo(streams: readonly NodeJS.ReadableStream[], gone: Promise<void>) {
  const looks = new Set<() => void>();
  let said = "";
  let passed = 0;
  let isGone = false;
  const lookAll = () => {
    for (const look of [...looks]) look();
  };
  for (const stream of streams)
    stream.on("data", (text: Buffer) => {
      said += text.toString();
      lookAll();
    });
  void gone.then(() => {
    isGone = true;
    lookAll();
  });
  return {
    log: () => said,
    forget() {
      passed = said.length;
    },
    says: (what: RegExp, timeoutMs = PATIENCE_MS) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          looks.delete(look);
          act();
        };
        const never = () => settle(() => reject(new Error(`linphonec never said ${what}\n${said}`)));
        const look = () => {
          const found = what.exec(said.slice(passed));
          if (!found) return isGone ? never() : undefined;
          passed += found.index + found[0].length;
          return settle(() => resolve(found));
        };
        const timer = setTimeout(never, timeoutMs);
        looks.add(look);
        look();
      }),
  };
}
