import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { eventually } from "../ground/eventually.ts";
import { endLeftBehind, leftBehind } from "./left-behind.ts";

const starts = `const { spawn } = require("node:child_process");
  for (const detached of [false, true]) console.log(spawn("sleep", ["600"], { detached, stdio: "ignore" }).pid);
  setInterval(() => {}, 1000);`;

test.each(["its own", "orphans"])("whatever was started is ended by pid, sleeping or not: %s", async (whose) => {
  const mark = `DRILL_TEST=${process.pid}-${whose}`;
  const [name = "", value = ""] = mark.split("=");
  // Without the mark its own are found as its descendants; with it, when it is gone.
  const env = whose === "orphans" ? { ...process.env, [name]: value } : process.env;
  const parent = spawn(process.execPath, ["-e", starts], { env, stdio: ["ignore", "pipe", "inherit"] });
  const children: number[] = [];
  for await (const line of createInterface({ input: parent.stdout })) if (children.push(Number(line)) === 2) break;
  process.kill(children[0]!, "SIGSTOP"); // there are two
  if (whose === "orphans") {
    parent.kill("SIGKILL");
    await once(parent, "exit");
  }
  const starter = { pid: parent.pid ?? 0, mark };
  expect(leftBehind(starter).sort()).toEqual(children.sort());
  expect(endLeftBehind(starter)).toBe(2);
  await eventually("nothing is left", async () => leftBehind(starter).length === 0);
  parent.kill("SIGKILL");
});
