// Writes docs/api.md from the same schemas that validate requests.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./build.mjs";

const folder = join(root, "node_modules", ".cache");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, "reference.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/http/reference/whole.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
const { wholeReference } = await import(pathToFileURL(outfile).href);
writeFileSync(join(root, "docs", "api.md"), wholeReference());
