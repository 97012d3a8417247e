#!/usr/bin/env node
// The `santral` command: runs the built program, building it first on a fresh clone. `start` is supervised.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [command, ...words] = process.argv.slice(2);
const built = fileURLToPath(new URL("../dist/santral.js", import.meta.url));
const supervisor = new URL("../dist/supervisor.js", import.meta.url);
const isClone = existsSync(new URL("../src/cli.ts", import.meta.url));
if (!existsSync(built) || !existsSync(supervisor) || (command === "upgrade" && isClone)) await prepare();
if (command === "start" && words.length === 0 && isToSupervise()) {
  const { supervise } = await import(supervisor.href);
  supervise(built, ["start"]);
} else await import(built);

async function prepare() {
  const setup = await import("./setup.mjs");
  await setup.prepare({ forTests: false });
}

/** Not below systemd, which does the same; unless told. A debugger wants the server and not its parent. */
function isToSupervise() {
  const { SANTRAL_SUPERVISE = "auto", SYSTEMD_EXEC_PID, INVOCATION_ID, NOTIFY_SOCKET } = process.env;
  if (/^(yes|true|on|1)$/i.test(SANTRAL_SUPERVISE)) return true;
  if (/^(no|false|off|0)$/i.test(SANTRAL_SUPERVISE)) return false;
  // Shells of a desktop that systemd started inherit the id; what systemd started itself has its own pid beside it.
  const isService = SYSTEMD_EXEC_PID === String(process.pid) || (INVOCATION_ID !== undefined && process.ppid === 1);
  return !isService && NOTIFY_SOCKET === undefined && !process.execArgv.some((word) => word.startsWith("--inspect"));
}
