// Who takes which exchanges, and to whom one is given away: pure, and the same at every node that sees the same.

import type { NodeRow, OwnedExchange } from "../store/nodes.ts";

type Seen = {
  me: string;
  nodes: readonly Pick<NodeRow, "name" | "state" | "isAlive" | "url">[];
  exchanges: readonly Pick<OwnedExchange, "id" | "node">[];
};

/**
 * Those that nobody alive owns and that fall to us: each goes to whichever node that takes any has the fewest by then.
 * Another that sees something else may want the same one; the database gives it to one of us.
 */
export function sharesOf(seen: Seen): number[] {
  const crew = takersAmong(seen);
  if (!crew.has(seen.me)) return [];
  const mine: number[] = [];
  for (const { id, node } of seen.exchanges) {
    if (node !== null && isAlive(seen, node)) continue;
    const taker = fewest(crew)!; // there is at least us
    crew.set(taker, crew.get(taker)! + 1); // it came out of this very map
    if (taker === seen.me) mine.push(id);
  }
  return mine;
}

/** To whom the next one goes of a node that gives all of its own away; undefined: nobody could take it. */
export function receiverFor(seen: Seen): string | undefined {
  const crew = takersAmong(seen);
  crew.delete(seen.me);
  return fewest(crew);
}

/**
 * To whom a node with more than its share gives one: whoever has at least two fewer, so that nothing goes to and fro.
 */
export function lighterThanUs(seen: Seen): string | undefined {
  const crew = takersAmong(seen);
  const ours = crew.get(seen.me);
  crew.delete(seen.me);
  const lightest = fewest(crew);
  return ours !== undefined && lightest !== undefined && crew.get(lightest)! + 1 < ours ? lightest : undefined;
}

/** Nodes that are up and can be reached, with how many each has. */
function takersAmong({ nodes, exchanges, me }: Seen): Map<string, number> {
  const takers = nodes.filter(
    ({ name, state, isAlive, url }) => isAlive && state === "up" && (url !== "" || name === me),
  );
  return new Map(takers.map(({ name }) => [name, exchanges.filter(({ node }) => node === name).length]));
}

function isAlive({ nodes }: Seen, name: string): boolean {
  return nodes.some((node) => node.name === name && node.isAlive);
}

/** Of several with as few the first by name. */
function fewest(crew: ReadonlyMap<string, number>): string | undefined {
  let found: string | undefined;
  for (const [name, count] of crew) {
    const least = found === undefined ? undefined : crew.get(found)!;
    if (found === undefined || least === undefined || count < least || (count === least && name < found)) found = name;
  }
  return found;
}
