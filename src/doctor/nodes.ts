// Checks of the servers that share a database: which live, whether they know our secret and have the same keys, whose clock
// is wrong, whose version is another, and whether every exchange lives somewhere.

import type { Clock } from "../clock.ts";
import { askNode, type NodeSaid, type NodeSilent } from "../http/nodes/ask-node.ts";
import { openSignatures } from "../http/nodes/signature.ts";
import { withDatabase } from "../server/command-database.ts";
import { likenessOf } from "../server/open-node.ts";
import { type NodeRow, readHomes, readNodes, synchronousStandbys } from "../store/nodes.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

/** A signature is good for a minute: well before that somebody should look. */
const FAR_APART_MS = 10_000;

type Looked = { node: NodeRow; said: NodeSaid | NodeSilent | undefined };

export const nodes: Check = {
  name: "nodes",
  async run({ config, clock }) {
    if (!config.cluster) return ok("this server has its database for itself");
    const { known, homes, standbys } = await withDatabase({ config, clock, make: false }, async ({ db }) => ({
      known: await readNodes(db),
      homes: await readHomes(db),
      standbys: await synchronousStandbys(db),
    }));
    if (known.length === 0) return ok("no node has ever run on this database");
    const signatures = openSignatures(config.nodeSecret?.secret() ?? "", clock);
    const looked: Looked[] = [];
    for (const node of known)
      looked.push({
        node,
        said: node.isAlive && node.url !== "" ? await askNode(node, "doctor", signatures) : undefined,
      });
    const ours = likenessOf(config);
    const living = looked.filter(({ node }) => node.isAlive);
    return [
      ...looked.map((it) => oneNode(it, clock)),
      ...living.flatMap(({ node }) => withoutSip(node)),
      ...versions(living.map(({ node }) => node)),
      ...living.flatMap(({ node, said }) => (said && !("silent" in said) ? unlike(node, said, ours) : [])),
      homeless(homes.filter(({ node }) => node === null).map(({ id }) => id)),
      ours.files === ""
        ? warn("files lie on the disk of the node that wrote them", "keep them in a bucket: SANTRAL_FILES_URL")
        : ok(`files are kept in ${ours.files}`),
      standbys === ""
        ? warn(
            "the database has no synchronous standby: if its machine is lost, so is what was just written",
            "set synchronous_standby_names there, or let Patroni do it",
          )
        : ok(`a commit waits for a standby (${standbys})`),
    ];
  },
};

function oneNode({ node: { name, url, isAlive }, said }: Looked, clock: Clock): Finding {
  if (!isAlive) return warn(`node ${name} is not running`, "start it, or leave it: the others have its exchanges");
  if (!said) return warn(`node ${name} is starting or stopping`, "look again in a moment");
  if ("silent" in said) return silence[said.silent](name, url);
  const apartMs = Math.abs(said.now_ms - clock.wall());
  return apartMs > FAR_APART_MS
    ? warn(
        `the clock of node ${name} is ${Math.round(apartMs / 1_000)} s away from ours`,
        "set the clocks of all machines by NTP",
      )
    : ok(`node ${name} answers, knows the secret, and its clock agrees`);
}

const silence: { [Why in NodeSilent["silent"]]: (name: string, url: string) => Finding } = {
  unreached: (name, url) =>
    fail(`node ${name} does not answer at ${url}`, "set SANTRAL_NODE_URL there to where others reach it"),
  "not-believed": (name) =>
    fail(
      `node ${name} does not believe us`,
      "give all nodes the same SANTRAL_NODE_SECRET, and set their clocks by NTP",
    ),
  another: (name, url) => fail(`${url} is not node ${name}`, "set SANTRAL_NODE_URL there to its own address"),
};

function withoutSip({ name, url, sip }: NodeRow): Finding[] {
  if (url === "" || sip !== "") return [];
  return [warn(`node ${name} says no SIP address: no proxy finds its way there`, "set SANTRAL_SIP there")];
}

function versions(living: readonly NodeRow[]): Finding[] {
  const found = new Set(living.map(({ version }) => version));
  if (found.size < 2) return [];
  const each = living.map(({ name, version }) => `${name} ${version}`).join(", ");
  return [warn(`the nodes have different versions: ${each}`, "bring all to the newest, one after the other")];
}

function unlike({ name }: NodeRow, said: NodeSaid, ours: ReturnType<typeof likenessOf>): Finding[] {
  const keys = fail(
    `node ${name} has other keys of secrets than this machine`,
    "copy the same file to all of them (SANTRAL_SECRET_KEYS)",
  );
  const files = fail(
    `node ${name} keeps its files ${said.files === "" ? "on its disk" : `in ${said.files}`}, and this machine elsewhere`,
    "give all nodes the same SANTRAL_FILES_URL",
  );
  return [...(said.keys === ours.keys ? [] : [keys]), ...(said.files === ours.files ? [] : [files])];
}

function homeless(ids: readonly number[]): Finding {
  if (ids.length === 0) return ok("every exchange lives on a node");
  const some = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? " …" : ""}`;
  return fail(
    `${ids.length} exchanges live on no node (${some}): they have no telephone`,
    'a node that is up takes them within seconds: see "santral node list"',
  );
}
