// The Debian packages that npm run cluster needs: which are missing, and whether they may be installed.

import { createInterface } from "node:readline/promises";
import { asRoot, forCluster, hasCommand, isInstalled, mayInstall, succeeds } from "./debian-packages.mjs";

/** The machine as it is; tests have another. */
const here = {
  has: isInstalled,
  isDebian: () => hasCommand("apt-get"),
  isRoot: mayInstall,
  isTerminal: () => process.stdin.isTTY === true && process.stdout.isTTY === true,
  say: (text) => console.log(text),
  async ask(question) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(question);
    terminal.close();
    return answer;
  },
  install(names) {
    const [command, ...words] = [...asRoot(), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    // A server that a package starts by itself would be in the way of nobody, and is of no use either.
    const done = (...more) => succeeds(command, [...words, ...more], "inherit");
    return done("-qq", "update") && done("install", "-y", "--no-install-recommends", ...names);
  },
};

/** Why it does not go on; undefined when everything is there. */
export async function askFor({ yes }, machine = here) {
  const missing = forCluster.filter((it) => !machine.has(it));
  if (missing.length === 0) return undefined;
  const names = missing.map((it) => it.package);
  machine.say("These packages of Debian's are missing:");
  for (const it of missing) machine.say(`  ${it.package.padEnd(20)} ${it.cluster}`);
  if (!machine.isDebian())
    return "This is no Debian: install what gives these on your system. PostgreSQL is looked for in /usr/lib/postgresql.";
  const command = `apt-get install --no-install-recommends ${names.join(" ")}`;
  if (!machine.isRoot()) return `You have no right to install them. As root: ${command}`;
  if (!yes && !machine.isTerminal()) return `There is no terminal to ask at: say --yes, or as root: ${command}`;
  if (!yes && !/^y(es)?$/i.test((await machine.ask("Install them now? [y/N] ")).trim()))
    return "Nothing was installed.";
  return machine.install(names) ? undefined : `They could not be installed; see above. By hand: ${command}`;
}
