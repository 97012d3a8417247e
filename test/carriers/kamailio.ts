// Kamailio for tests: a carrier that knows its customer by what he registered, and calls him there and nowhere else.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { whenOver } from "../ground/when-over.ts";

export type Kamailio = {
  address: string;
  port: number;
  /** The Contact of each registration it has taken so far. */
  registered(): string[];
};

export type KamailioOptions = {
  /** Where it listens. */
  address: string;
  /** Every account has this one. */
  password: string;
};

const MODULES = ["/usr/lib/x86_64-linux-gnu/kamailio/modules/", "/usr/lib/aarch64-linux-gnu/kamailio/modules/"];

/** Wants a password for REGISTER; a call to an account goes to its Contact, and Kamailio stays on the way. */
export async function startKamailio({ address, password }: KamailioOptions): Promise<Kamailio> {
  const folder = mkdtempSync(join(tmpdir(), "kamailio-"));
  const port = await freePorts(1);
  const config = join(folder, "kamailio.cfg");
  writeFileSync(
    config,
    configuration({ address, port, password, modules: MODULES.find((it) => existsSync(it)) ?? "" }),
  );
  const words = ["-f", config, "-DD", "-E", "-Y", folder, "-P", join(folder, "pid"), "-m", "32", "-M", "4"];
  const child = spawn("kamailio", words, { stdio: ["ignore", "ignore", "pipe"] });
  const gone = new Promise((ended) => child.once("exit", ended));
  let log = "";
  child.stderr.on("data", (text: Buffer) => {
    log = (log + text.toString()).slice(-64_000);
  });
  whenOver(async () => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually("Kamailio listens", async () => {
    if (child.exitCode !== null) throw new Error(`Kamailio did not start: ${log}`);
    return log.includes(READY);
  });
  return {
    address,
    port,
    registered: () => [...log.matchAll(new RegExp(`${TAKEN}(.+)`, "g"))].map(([, contact = ""]) => contact),
  };
}

const READY = "ready to serve";
const TAKEN = "registered: ";
const LOADED = [
  "kex",
  "corex",
  "sl",
  "tm",
  "rr",
  "pv",
  "maxfwd",
  "usrloc",
  "registrar",
  "textops",
  "siputils",
  "auth",
  "xlog",
];

const configuration = ({
  address,
  port,
  password,
  modules,
}: KamailioOptions & { port: number; modules: string }) => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:${address.includes(":") ? `[${address}]` : address}:${port}
mpath="${modules}"
${LOADED.map((name) => `loadmodule "${name}.so"`).join("\n")}
modparam("usrloc", "db_mode", 0)
request_route {
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("$td", "${password}", "0")) { www_challenge("$td", "1"); exit; }
    if (save("location")) xlog("L_ERR", "${TAKEN}$hdr(Contact)\\n");
    exit;
  }
  if (has_totag()) {
    if (loose_route()) t_relay();
    else if (is_method("ACK") && t_check_trans()) t_relay();
    else if (!is_method("ACK")) sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  record_route();
  if (!lookup("location")) { sl_send_reply("404", "Not registered"); exit; }
  if (!t_relay()) sl_reply_error();
}
event_route[core:worker-one-init] {
  xlog("L_ERR", "${READY}\\n");
}
`;
