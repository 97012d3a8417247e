// Asks a node what it says of itself, as somebody who knows the nodes' secret.

import { NODE_HEADER, type Signatures } from "./signature.ts";

/** What a node knows of itself alone. */
export type NodeFacts = {
  since_ms: number;
  calls: number;
  late_renewals: number;
  taken_over: number;
  /** A mark of its file of keys: the same where the keys are. */
  keys: string;
  /** The bucket for its files; empty where they lie on its disk. */
  files: string;
};

export type NodeSaid = NodeFacts & { now_ms: number };

/** Why nothing was heard. */
export type NodeSilent = { silent: "unreached" | "not-believed" | "another" };

const PATIENCE_MS = 3_000;
const PING = { method: "GET", url: "/nodes/ping" };

export async function askNode(
  { name, url }: { name: string; url: string },
  asker: string,
  signatures: Pick<Signatures, "sign">,
): Promise<NodeSaid | NodeSilent> {
  const headers = { [NODE_HEADER]: signatures.sign({ node: asker, address: "" }, PING) };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`${url}${PING.url}`, { headers, signal }).catch(() => undefined);
  if (!answer) return { silent: "unreached" };
  if (answer.status === 403) return { silent: "not-believed" };
  const said = (await answer.json().catch(() => ({}))) as Partial<NodeSaid & { node: string }>;
  if (answer.status !== 200 || said.node !== name) return { silent: "another" };
  const { now_ms = 0, since_ms = 0, calls = 0, late_renewals = 0, taken_over = 0, keys = "", files = "" } = said;
  return { now_ms, since_ms, calls, late_renewals, taken_over, keys, files };
}
