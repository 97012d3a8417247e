// The Debian packages that npm run cluster needs: which are missing, and whether they may be installed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";

const LIBRARIES = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

const NEEDED = [
  { package: "postgresql-15", path: "/usr/lib/postgresql", why: "the database and its standby" },
  { package: "kamailio", command: "kamailio", why: "the SIP proxy at the edge" },
  {
    package: "kamailio-tls-modules",
    path: `${LIBRARIES}/kamailio/modules/tls.so`,
    why: "its door for phones over TLS",
  },
  { package: "rtpengine-daemon", command: "rtpengine", why: "the relay for voice at the edge" },
  { package: "baresip", command: "baresip", why: "telephones that are not ours, for the drills" },
  { package: "sip-tester", command: "sipp", why: "SIPp, carriers and phones that are not ours, for the drills" },
  { package: "openssl", command: "openssl", why: "certificates for SIP over TLS" },
];

/** The machine as it is; tests have another. */
const here = {
  has: (it) => (it.path ? existsSync(it.path) : succeeds("sh", ["-c", `command -v ${it.command}`])),
  isDebian: () => succeeds("sh", ["-c", "command -v apt-get"]),
  isRoot: () => process.getuid?.() === 0 || succeeds("sudo", ["-n", "true"]),
  isTerminal: () => process.stdin.isTTY === true && process.stdout.isTTY === true,
  say: (text) => console.log(text),
  async ask(question) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(question);
    terminal.close();
    return answer;
  },
  install(names) {
    const before = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
    const [command, ...words] = [...before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    // A server that a package starts by itself would be in the way of nobody, and is of no use either.
    const done = (...more) => succeeds(command, [...words, ...more], "inherit");
    return done("-qq", "update") && done("install", "-y", "--no-install-recommends", ...names);
  },
};

/** Why it does not go on; undefined when everything is there. */
export async function askFor({ yes }, machine = here) {
  const missing = NEEDED.filter((it) => !machine.has(it));
  if (missing.length === 0) return undefined;
  const names = missing.map((it) => it.package);
  machine.say("These packages of Debian's are missing:");
  for (const it of missing) machine.say(`  ${it.package.padEnd(18)} ${it.why}`);
  if (!machine.isDebian())
    return "This is no Debian: install what gives these on your system. PostgreSQL is looked for in /usr/lib/postgresql.";
  const command = `apt-get install --no-install-recommends ${names.join(" ")}`;
  if (!machine.isRoot()) return `You have no right to install them. As root: ${command}`;
  if (!yes && !machine.isTerminal()) return `There is no terminal to ask at: say --yes, or as root: ${command}`;
  if (!yes && !/^y(es)?$/i.test((await machine.ask("Install them now? [y/N] ")).trim()))
    return "Nothing was installed.";
  return machine.install(names) ? undefined : `They could not be installed; see above. By hand: ${command}`;
}

function succeeds(command, words, stdio = "ignore") {
  return spawnSync(command, words, { stdio }).status === 0;
}
