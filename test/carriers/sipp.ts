// SIPp for tests and benches: a scenario, a list of accounts, and what became of the calls.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../ground/free-ports.ts";

export type SippOptions = {
  /** XML. */
  scenario: string;
  /** One line an account, fields parted by semicolons; taken in turn. */
  accounts?: readonly string[];
  /** host:port. */
  server: string;
  calls: number;
  rate: number;
  transport?: "udp" | "tcp";
  /** The core it may use. */
  core?: string;
  /** Begins again with the next account at each call, in order. */
  extra?: readonly string[];
};

export type SippResult = {
  done: number;
  failed: number;
  retransmissions: number;
  seconds: number;
  log: string;
};

export async function runSipp(options: SippOptions): Promise<SippResult> {
  const folder = mkdtempSync(join(tmpdir(), "santral-sipp-"));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const { accounts, server, calls, rate, transport = "udp", core, extra = [] } = options;
  const stats = join(folder, "stats.csv");
  const errors = join(folder, "errors.log");
  const words = [
    ...["sipp", "-sf", file("scenario.xml", options.scenario), server, "-i", "127.0.0.1"],
    ...["-p", String(await freePorts(1)), "-t", transport === "udp" ? "u1" : "t1"],
    ...(accounts ? ["-inf", file("accounts.csv", `SEQUENTIAL\n${accounts.join("\n")}\n`)] : []),
    ...["-m", String(calls), "-r", String(rate), "-l", "100000", "-nostdin", "-buff_size", "4194304"],
    ...["-trace_stat", "-stf", stats, "-fd", "1", "-trace_err", "-error_file", errors, ...extra],
  ];
  const [program, ...rest] = core === undefined ? words : ["taskset", "-c", core, ...words];
  const began = performance.now();
  const child = spawn(program!, rest, { cwd: folder, stdio: "ignore" });
  await new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const seconds = (performance.now() - began) / 1_000;
  const log = existsSync(errors) ? readFileSync(errors, "utf8").slice(0, 4_000) : "";
  const result = { ...readStats(readFileSync(stats, "utf8")), seconds, log };
  rmSync(folder, { recursive: true });
  return result;
}

function readStats(csv: string): { done: number; failed: number; retransmissions: number } {
  const rows = csv
    .trim()
    .split("\n")
    .map((row) => row.split(";"));
  const [names = [], last = []] = [rows[0], rows.at(-1)];
  const column = (name: string) => Number(last[names.indexOf(name)]);
  return {
    done: column("SuccessfulCall(C)"),
    failed: column("FailedCall(C)"),
    retransmissions: column("Retransmissions(C)"),
  };
}

/** An account for `registerScenario`: SIPp does not fill in fields inside [authentication], so it is one of them. */
export const account = (user: string, password: string) =>
  `${user};[authentication username=${user} password=${password}]`;

/** REGISTER, the challenge, REGISTER again, and the status expected to it. */
export function registerScenario(options: RegisterOptions): string {
  const { domain, expects = 200, expires = 300, contactHost = "[local_ip]:[local_port]" } = options;
  const message = (cseq: number, authorization: string) => `<send retrans="500"><![CDATA[
REGISTER sip:${domain} SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
From: <sip:[field0]@${domain}>;tag=[pid]x[call_number]
To: <sip:[field0]@${domain}>
Call-ID: [call_id]
CSeq: ${cseq} REGISTER
Contact: <sip:[field0]@${contactHost};transport=[transport]>
${authorization}Expires: ${expires}
Max-Forwards: 70
Content-Length: 0

]]></send>`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="register">
${message(1, "")}
<recv response="401" auth="true"/>
${message(2, "[field1]\n")}
<recv response="${expects}"/>
</scenario>
`;
}

export type RegisterOptions = {
  domain: string;
  expects?: number;
  expires?: number;
  /** What stands behind the @ of the Contact; by default where SIPp really is. */
  contactHost?: string;
};
