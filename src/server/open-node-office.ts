// The servers that share a database, for the console: what the database knows of each, and what each says of itself.

import type { Clock } from "../clock.ts";
import type { NodeOffice, NodeView } from "../http/console/operation/node-office.ts";
import { askNode } from "../http/nodes/ask-node.ts";
import { openSignatures } from "../http/nodes/signature.ts";
import type { Db } from "../store/db.ts";
import { type Home, type NodeRow, readHomes, readNodes, askNode as tellNode } from "../store/nodes.ts";

/** `db` sees every exchange. */
type OfficeParts = { operators: number; db: Db; own: string; secret: string; clock: Clock };

export function openNodeOffice({ operators, db, own, secret, clock }: OfficeParts): NodeOffice {
  const signatures = openSignatures(secret, clock);
  return {
    operators,
    tell: (name, wanted) => tellNode(db, name, wanted),
    async list() {
      const [rows, exchanges] = [await readNodes(db), await readHomes(db)];
      const nodes = await Promise.all(rows.map((row) => view(row, exchanges)));
      return { nodes, exchanges };
    },
  };

  async function view(row: NodeRow, exchanges: readonly Home[]): Promise<NodeView> {
    const { name, version, until, url, sip, isAlive, state } = row;
    const said = isAlive && url !== "" ? await askNode(row, own, signatures) : undefined;
    const heard = said && !("silent" in said) ? said : undefined;
    const here = exchanges.filter(({ node }) => node === name);
    return {
      name,
      version,
      until,
      url,
      sip,
      state: isAlive && state !== "over" ? state : "dead",
      exchanges: here.length,
      isThis: name === own,
      sinceMs: heard?.since_ms ?? null,
      lateRenewals: heard?.late_renewals ?? null,
      calls: heard?.calls ?? here.reduce((sum, { calls }) => sum + calls, 0),
    };
  }
}
