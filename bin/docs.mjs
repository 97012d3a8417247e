// Writes docs/api.md and the TypeScript client from the same schemas that validate requests.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { root } from "./build.mjs";

const folder = join(root, "node_modules", ".cache");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, "reference.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/http/whole-reference.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
const { wholeReference, wholeClient } = await import(pathToFileURL(outfile).href);
writeFileSync(join(root, "docs", "api.md"), wholeReference());
const client = wholeClient(readFileSync(join(root, "src/http/reference/client-line.ts"), "utf8"));
const { code } = await transform(client, { loader: "ts", target: "es2022" });
writeFileSync(join(root, "client", "santral.ts"), client);
writeFileSync(join(root, "client", "santral.js"), code);
