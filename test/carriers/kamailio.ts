// Kamailio for tests: a carrier that knows its customer by what he registered, and calls him there and nowhere else; or
// the proxy before a carrier, which asks its customers at every step who they are.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../ground/free-ports.ts";
import { startProgram } from "../ground/program.ts";
import { whenOver } from "../ground/when-over.ts";

export type Kamailio = {
  address: string;
  port: number;
  /** The Contact of each registration it has taken so far. */
  registered(): string[];
  /** The methods that it has asked for a proof, and those that it then let through. */
  asked(): string[];
  let(): string[];
};

export type KamailioOptions = {
  /** Where it listens. */
  address: string;
  /** Every account has this one. */
  password: string;
  /** What its customers send goes where its Request-URI says, once they have proved who they are. */
  isProxy?: boolean;
};

const MODULES = ["/usr/lib/x86_64-linux-gnu/kamailio/modules/", "/usr/lib/aarch64-linux-gnu/kamailio/modules/"];

/** Wants a password for REGISTER; a call to an account goes to its Contact, and Kamailio stays on the way. */
export async function startKamailio(options: KamailioOptions): Promise<Kamailio> {
  const { address } = options;
  const folder = mkdtempSync(join(tmpdir(), "kamailio-"));
  const port = await freePorts(1);
  const config = join(folder, "kamailio.cfg");
  const modules = MODULES.find((it) => existsSync(it)) ?? "";
  writeFileSync(config, configuration({ ...options, port, modules }));
  const words = ["-f", config, "-DD", "-E", "-Y", folder, "-P", join(folder, "pid"), "-m", "32", "-M", "4"];
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  const kamailio = await startProgram("kamailio", words, (said) => said.includes(READY));
  return {
    address,
    port,
    registered: () => said(TAKEN),
    asked: () => said(ASKED),
    let: () => said(LET),
  };

  function said(what: string): string[] {
    return [...kamailio.said().matchAll(new RegExp(`${what}(.+)`, "g"))].map(([, word = ""]) => word);
  }
}

const READY = "ready to serve";
const TAKEN = "registered: ";
const ASKED = "asked: ";
const LET = "let: ";
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

type Place = { port: number; modules: string };

/** What comes back from the carrier behind it is let through. */
const PROXY = (password: string) => `
  if (!is_method("ACK|CANCEL|REGISTER|OPTIONS") && $hdr(User-Agent) =~ "Santral") {
    if (!pv_proxy_authenticate("carrier", "${password}", "0")) {
      xlog("L_ERR", "${ASKED}$rm\\n");
      proxy_challenge("carrier", "1");
      exit;
    }
    consume_credentials();
    xlog("L_ERR", "${LET}$rm\\n");
  }
  if (is_method("INVITE") && !has_totag()) {
    loose_route();
    record_route();
    t_relay();
    exit;
  }`;

const configuration = ({ address, port, password, modules, isProxy }: KamailioOptions & Place) => `#!KAMAILIO
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
request_route {${isProxy ? PROXY(password) : ""}
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
