// npm run cluster: three nodes, an edge and a PostgreSQL with its standby, on loopback, until Ctrl-C.
// npm run cluster -- drill [--kills 20] [--calls 50] [--only kill,stop]: what they must stand, done and put into a table.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./build.mjs";
import { askFor } from "./cluster-packages.mjs";
import { readWords } from "./cluster-words.mjs";

const asked = readWords(process.argv.slice(2));
if ("wrong" in asked) end(2, asked.wrong);
const refused = await askFor({ yes: asked.yes });
if (refused !== undefined) end(1, refused);

const folder = join(root, "node_modules", ".cache", "cluster");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, "run.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["test/cluster/run.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  alias: { vitest: "./test/cluster/without-vitest.ts" },
  sourcemap: "inline",
  logLevel: "warning",
});
const child = spawn(process.execPath, ["--enable-source-maps", outfile, JSON.stringify(asked)], {
  cwd: root,
  stdio: "inherit",
});
// A terminal tells both of us; whoever tells only this one means the other too.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});

function end(code, why) {
  console.error(why);
  process.exit(code);
}
