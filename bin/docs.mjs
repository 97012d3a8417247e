// Writes docs/api.md and the TypeScript client from the same schemas that validate requests, and the tables of settings and
// events from their records.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { root } from "./build.mjs";
import { bundled } from "./bundle.mjs";

const outfile = await bundled("src/http/whole-reference.ts");
const { wholeReference, wholeClient, wholeSettings, wholeEvents } = await import(pathToFileURL(outfile).href);
writeFileSync(join(root, "docs", "api.md"), wholeReference());
writeFileSync(join(root, "docs", "settings.md"), wholeSettings());
const webhooks = join(root, "docs", "webhooks.md");
writeFileSync(webhooks, readFileSync(webhooks, "utf8").replace(/\| `event_type`[\s\S]*?(?=\n\n)/, wholeEvents()));
const client = wholeClient(readFileSync(join(root, "src/http/reference/client-requests.ts"), "utf8"));
const { code } = await transform(client, { loader: "ts", target: "es2022" });
writeFileSync(join(root, "client", "santral.ts"), client);
writeFileSync(join(root, "client", "santral.js"), code);
