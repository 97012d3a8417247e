// For who answers SIP at one of several nodes: where exchanges live, and whether a call may be on its way here from a node
// that has died.

import type { ClusterNode } from "../cluster/node.ts";
import type { Elsewhere, Home, Residence } from "../exchange/signalling/residence.ts";

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
    ofNew(hosts, silent) {
      const isSilent = silenceOf(node, (sip) => sip === silent);
      return () => {
        const id = exchangeOf(hosts);
        if (!node.acts()) return { at: undefined, isKnown: true, isSoon: false };
        if (id === undefined) return homeOfUnknown(node, isSilent());
        if (node.takesNew(id)) return "here";
        const where = node.where(id);
        const isSoon = where.is !== "there" || where.isDoubted || (where.sip === silent && isSilent());
        return { at: isSoon ? undefined : where.sip, isKnown: true, isSoon };
      };
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
function homeOfUnknown(node: Node, isSilent: boolean): Home {
  if (node.held().length >= node.everyExchange()) return "here";
  return { at: undefined, isKnown: false, isSoon: isSilent || isAnyLoose(node) };
}

/** Whether an exchange has no living owner. */
function isAnyLoose(node: Node): boolean {
  const elsewhere = node.others().reduce((sum, { exchanges }) => sum + exchanges, 0);
  return node.held().length + elsewhere < node.everyExchange();
}

/** The same. */
function ofAnyCall(node: Node, door: string, isSilent: boolean): "nobody" | "soon" | Elsewhere {
  const others = node.others();
  if (isSilent || isAnyLoose(node)) return "soon";
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
