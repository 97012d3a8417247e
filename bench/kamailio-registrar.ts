// Kamailio as a registrar in memory, the yardstick: digest, usrloc without a database, one worker.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMsOfTree } from "./process-cpu.ts";

const MODULES = ["/usr/lib/aarch64-linux-gnu/kamailio/modules/", "/usr/lib/x86_64-linux-gnu/kamailio/modules/"];

export const hasKamailio = ["/usr/sbin/kamailio", "/usr/bin/kamailio"].some((path) => existsSync(path));

export async function startKamailio(port: number, domain: string, core: string) {
  const folder = await mkdtemp(join(tmpdir(), "santral-kamailio-"));
  const path = MODULES.find((it) => existsSync(it)) ?? "";
  const config = join(folder, "kamailio.cfg");
  await writeFile(
    config,
    `#!KAMAILIO
debug=0
log_stderror=yes
fork=yes
children=1
disable_tcp=yes
listen=udp:127.0.0.1:${port}
mpath="${path}"
${["kex", "corex", "sl", "pv", "usrloc", "registrar", "textops", "siputils", "auth"].map((name) => `loadmodule "${name}.so"`).join("\n")}
modparam("usrloc", "db_mode", 0)
modparam("registrar", "max_contacts", 10)
modparam("auth", "nonce_expire", 300)
request_route {
  if (!is_method("REGISTER")) { sl_send_reply("405", "No"); exit; }
  $var(password) = "secret" + $au;
  if (!pv_www_authenticate("${domain}", "$var(password)", "0")) { www_challenge("${domain}", "1"); exit; }
  save("location");
  exit;
}
`,
  );
  const words = [
    "-c",
    core,
    "kamailio",
    "-f",
    config,
    "-DD",
    "-E",
    "-Y",
    folder,
    "-P",
    join(folder, "pid"),
    "-m",
    "256",
  ];
  const child: ChildProcess = spawn("taskset", words, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr?.on("data", (text: Buffer) => {
    log = (log + text.toString()).slice(-4_000);
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  if (child.exitCode !== null) throw new Error(`kamailio did not start: ${log}`);
  return {
    cpuMs: () => cpuMsOfTree(child.pid!),
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
