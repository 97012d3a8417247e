// For who answers SIP at one of several nodes: where exchanges live, and whether a call may be on its way here from a node
// that has died.

import type { ClusterNode } from "../cluster/node.ts";
import type { Elsewhere, Residence } from "../exchange/signalling/residence.ts";

/** Of a life that is renewed every second: by then one was that had not been sent before it was asked. */
const HEARD_MS = 2_000;

type Node = Pick<
  ClusterNode,
  "acts" | "exchangeOf" | "takesNew" | "owns" | "where" | "held" | "everyExchange" | "others" | "own"
>;

export function residenceOf(node: Node): Residence {
  const exchangeOf = (hosts: readonly string[]) =>
    hosts.map((host) => node.exchangeOf(host)).find((id) => id !== undefined);
  return {
    of(hosts) {
      if (!node.acts()) return NOBODY_YET;
      const id = exchangeOf(hosts);
      if (id === undefined) return node.held().length >= node.everyExchange() ? "here" : "unknown";
      if (node.takesNew(id)) return "here";
      const where = node.where(id);
      return { at: where.is === "there" ? where.sip : undefined };
    },
    ofCall(hosts, { door, isTold }) {
      const id = exchangeOf(hosts);
      const isSilent = silenceOf(node, (sip) => isTold || sip === door);
      return () => {
        if (!node.acts()) return NOBODY_YET;
        if (id === undefined) return ofAnyCall(node, door, isSilent());
        if (node.owns(id)) return "nobody";
        const where = node.where(id);
        if (where.is !== "there" || ((isTold || where.sip === door) && isSilent())) return "soon";
        return { at: where.sip };
      };
    },
    isOnlyOne: () => node.everyExchange() === 1,
    acts: () => node.acts(),
  };
}

const NOBODY_YET: Elsewhere = { at: undefined };

/** Nothing in it says whose it is: a carrier's. */
function ofAnyCall(node: Node, door: string, isSilent: boolean): "nobody" | "soon" | Elsewhere {
  const others = node.others();
  const loaded = node.held().length + others.reduce((sum, { exchanges }) => sum + exchanges, 0);
  if (isSilent || loaded < node.everyExchange()) return "soon";
  if (others.length === 0 || door === node.own().sip) return "nobody";
  return { at: others.find(({ sip }) => sip === door)?.sip };
}

/** Whether one of these nodes, alive when this was asked for, has given no sign of life since: it may just have died. */
function silenceOf(node: Node, isMeant: (sip: string) => boolean): () => boolean {
  const before = new Map(
    node.others().flatMap(({ name, sip, until }) => (isMeant(sip) ? [[name, until.getTime()] as const] : [])),
  );
  return () =>
    node
      .others()
      .some(({ name, until }) => until.getTime() < (before.get(name) ?? Number.NEGATIVE_INFINITY) + HEARD_MS);
}
