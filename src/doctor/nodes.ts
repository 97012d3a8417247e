// Checks of the other servers on the same database: which live, whether they know our secret, and whose clock is wrong.

import { NODE_HEADER, openSignatures } from "../http/nodes/signature.ts";
import { withDatabase } from "../server/command-database.ts";
import { type NodeRow, readNodes } from "../store/nodes.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

const PATIENCE_MS = 3_000;
/** A signature is good for a minute: well before that somebody should look. */
const FAR_APART_MS = 10_000;

export const nodes: Check = {
  name: "nodes",
  async run({ config, clock }) {
    if (!config.cluster) return ok("this server has its database for itself");
    const known = await withDatabase({ config, clock, make: false }, ({ db }) => readNodes(db));
    const signatures = openSignatures(config.nodeSecret?.secret() ?? "", clock);
    const found: Finding[] = [];
    for (const node of known) {
      if (!node.isAlive) {
        found.push(warn(`node ${node.name} is not running`, "start it, or leave it: the others have its exchanges"));
        continue;
      }
      found.push(await look(node, signatures.sign({ node: "doctor", address: "" }, PING), () => clock.wall()));
    }
    return found.length > 0 ? found : ok("no node has ever run on this database");
  },
};

const PING = { method: "GET", url: "/nodes/ping" };

async function look({ name, url }: NodeRow, signature: string, now: () => number): Promise<Finding> {
  if (url === "") return warn(`node ${name} is starting or stopping`, "look again in a moment");
  const headers = { [NODE_HEADER]: signature };
  const answer = await fetch(`${url}${PING.url}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    () => undefined,
  );
  if (!answer)
    return fail(`node ${name} does not answer at ${url}`, "set SANTRAL_NODE_URL there to where others reach it");
  if (answer.status === 403)
    return fail(
      `node ${name} does not believe us`,
      "give all nodes the same SANTRAL_NODE_SECRET, and set their clocks by NTP",
    );
  const said = (await answer.json().catch(() => ({}))) as { node?: string; now_ms?: number };
  if (answer.status !== 200 || said.node !== name)
    return fail(`${url} is not node ${name}`, "set SANTRAL_NODE_URL there to its own address");
  const apartMs = Math.abs((said.now_ms ?? 0) - now());
  return apartMs > FAR_APART_MS
    ? warn(
        `the clock of node ${name} is ${Math.round(apartMs / 1_000)} s away from ours`,
        "set the clocks of all machines by NTP",
      )
    : ok(`node ${name} answers, knows the secret, and its clock agrees`);
}
