// Makes src/passwords/common-passwords.ts out of lists of passwords that many people have, the commonest first and one a line:
// `node bin/common-passwords.mjs LIST...`. The present one came of data/passwords.txt of dropbox/zxcvbn (MIT licence), and
// of a list of words that people in Türkiye choose.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";

const source = readFileSync(new URL("../src/passwords/folded.ts", import.meta.url), "utf8");
const { code } = transformSync(source, { loader: "ts", format: "esm" });
const { folded } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const MOST = 15_000;
const SHORTEST = 4;
/** Nobody may choose a shorter one, so of these all count. */
const LONG = 10;
const LINE = 240;

const wanted = new Set();
for (const file of process.argv.slice(2)) {
  const listed = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => folded(line.trim().split(/\s/)[0] ?? ""));
  for (const [place, word] of listed.entries())
    if (word.length >= SHORTEST && (place < MOST || word.length >= LONG)) wanted.add(word);
}
const hashes = [...new Set([...wanted].map((word) => createHash("sha256").update(word).digest().readUInt32BE(0)))];
hashes.sort((one, other) => one - other);
const octets = [];
let before = 0;
for (const hash of hashes) {
  let step = hash - before;
  for (; step >= 0x80; step = Math.floor(step / 0x80)) octets.push((step % 0x80) | 0x80);
  octets.push(step);
  before = hash;
}
const lines = Buffer.from(octets)
  .toString("base64")
  .match(new RegExp(`.{1,${LINE}}`, "g"));
writeFileSync(
  new URL("../src/passwords/common-passwords.ts", import.meta.url),
  `// Passwords that many people have, as the steps from one to the next of their hashes. Made by bin/common-passwords.mjs.

export const COMMON_COUNT = ${hashes.length};

export const COMMON_STEPS = \`
${lines.join("\n")}
\`;
`,
);
