// Who counts the guesses of an address among several nodes: one of them, the same for whoever is asked, or an address that
// goes from node to node, or from exchange to exchange, would have as many allowances.

import { createHash } from "node:crypto";
import { holderOf } from "../../addresses.ts";
import { type Clock, type Ticks, until, within } from "../../clock.ts";
import type { CountGuess, GuessPool, RateLimit } from "../door/rate-limit.ts";
import type { NodeMap } from "./questions.ts";
import { NODE_HEADER, type Signatures } from "./signature.ts";

export type DoorkeeperParts = {
  map: Pick<NodeMap, "name" | "others">;
  signatures: Pick<Signatures, "sign">;
  /** Our own count: of the addresses that are ours, and of all while their keeper is not reached. */
  limit: RateLimit;
  clock: Clock;
};

const PATIENCE_MS = 2_000;
const MOST_REMEMBERED = 10_000;

export function openDoorkeeper({ map, signatures, limit, clock }: DoorkeeperParts): CountGuess {
  /** Addresses that were refused, and until when: nobody need be asked again before. */
  const refused = new Map<string, Ticks>();
  return async (pool, address) => {
    const holder = holderOf(address); // one node counts for all that he may write from
    const keeper = keeperFor(holder, [{ name: map.name, url: "" }, ...map.others()]);
    if (keeper.name === map.name) return limit.take(pool, address);
    const bucket = `${pool} ${holder}`;
    const leftMs = until(clock, refused.get(bucket) ?? clock.ticks());
    if (leftMs > 0) return leftMs;
    refused.delete(bucket);
    const waitMs = (await ask(keeper.url, pool, address)) ?? limit.take(pool, address);
    if (waitMs > 0) refused.set(bucket, within(clock, waitMs));
    for (const [oldest] of refused) if (refused.size > MOST_REMEMBERED) refused.delete(oldest);
    return waitMs;
  };

  /** Undefined when nothing was heard. */
  async function ask(base: string, pool: GuessPool, address: string): Promise<number | undefined> {
    const line = { method: "POST", url: `/nodes/guess?pool=${pool}` };
    const headers = { [NODE_HEADER]: signatures.sign({ node: map.name, address }, line) };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(`${base}${line.url}`, { method: line.method, headers, signal }).catch(() => undefined);
    const said = (await answer?.json().catch(() => undefined)) as { wait_ms?: unknown } | undefined;
    return answer?.ok && typeof said?.wait_ms === "number" ? said.wait_ms : undefined;
  }
}

/** The same at every node that sees the same others, and another for other addresses; few change when one comes or goes. */
function keeperFor<Node extends { name: string }>(address: string, nodes: readonly [Node, ...Node[]]): Node {
  const rank = ({ name }: Node) => createHash("sha256").update(`${name} ${address}`).digest("hex");
  return nodes.reduce((first, other) => (rank(other) > rank(first) ? other : first));
}
