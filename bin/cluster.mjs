// npm run cluster: three nodes, an edge and a PostgreSQL with its standby, on loopback, until Ctrl-C.
// npm run cluster -- drill [--kills 20] [--calls 50] [--only kill,stop]: what they must stand, done and put into a table.

import { root } from "./build.mjs";
import { runBundled } from "./bundle.mjs";
import { askFor } from "./cluster-packages.mjs";
import { readWords } from "./cluster-words.mjs";

const asked = readWords(process.argv.slice(2));
if ("wrong" in asked) end(2, asked.wrong);
const refused = await askFor({ yes: asked.yes });
if (refused !== undefined) end(1, refused);

await runBundled("test/cluster/run.ts", [JSON.stringify(asked)], {
  alias: { vitest: "./test/cluster/without-vitest.ts" },
  flags: ["--enable-source-maps"],
  cwd: root,
});

function end(code, why) {
  console.error(why);
  process.exit(code);
}
