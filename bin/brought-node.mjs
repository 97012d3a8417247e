// The Node that Debian packages bring: its version and its sums, which stand in the repository as those of all packages do.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** In the repository. */
export const NODE_FILE = "deploy/debian/node.json";

export const { version: NODE, integrity: SUMS } = JSON.parse(
  readFileSync(new URL(`../${NODE_FILE}`, import.meta.url), "utf8"),
);

/** Throws for one that is not what was meant, whoever served it. */
export function provedNode(octets, processor, sums = SUMS) {
  const sum = `sha512-${createHash("sha512").update(octets).digest("base64")}`;
  if (sum !== sums[processor]) throw new Error(`node-linux-${processor} is not the one of ${NODE_FILE}: ${sum}`);
}

/** As a part of what is released (CycloneDX). */
export function nodePart({ version, integrity }, processor) {
  const name = `node-linux-${processor}`;
  const content = Buffer.from(integrity[processor].replace("sha512-", ""), "base64").toString("hex");
  const purl = `pkg:npm/${name}@${version}`;
  return {
    type: "library",
    name,
    version,
    "bom-ref": `${name}@${version}`,
    purl,
    hashes: [{ alg: "SHA-512", content }],
  };
}
