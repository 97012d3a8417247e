#!/usr/bin/env node
// The `santral` command: runs the built program, building it first on a fresh clone.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../dist/santral.js", import.meta.url));
if (!existsSync(built)) {
  const { prepare } = await import("./setup.mjs");
  await prepare({ forTests: false });
}
await import(built);
