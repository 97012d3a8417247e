// What one node says to another about a request that it passes on: who asks, signed by the secret that both know, good for
// a moment and for this one request alone.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Clock, since, type Ticks } from "../../clock.ts";

export const NODE_HEADER = "x-santral-node";

export type Passed = { node: string; address: string };
type Line = { method: string; url: string };

/** Clocks of machines differ, and a request may have waited on its way. */
const GOOD_FOR_MS = 60_000;
/** So many are remembered that none comes twice; beyond it the door is shut for whoever has to be remembered. */
const MOST_REMEMBERED = 200_000;

export type Signatures = {
  sign(passed: Passed, line: Line): string;
  /** Undefined: made by somebody else, too long ago, or seen before. */
  verify(header: string, line: Line): Passed | undefined;
};

export function openSignatures(secret: string, clock: Clock): Signatures {
  const seen = new Map<string, Ticks>();
  const macOf = (said: string, { method, url }: Line) =>
    createHmac("sha256", secret).update(`${said}\n${method}\n${url}`).digest("base64url");
  return {
    sign({ node, address }, line) {
      const said = [node, clock.wall(), randomBytes(12).toString("base64url"), encodeURIComponent(address)].join(" ");
      return `${said} ${macOf(said, line)}`;
    },
    verify(header, line) {
      const [node, stamp, nonce, address, mac, ...more] = header.split(" ");
      if (!node || !stamp || !nonce || address === undefined || !mac || more.length > 0) return undefined;
      if (!isSame(mac, macOf([node, stamp, nonce, address].join(" "), line))) return undefined;
      const apartMs = Math.abs(clock.wall() - Number(stamp));
      if (!(apartMs <= GOOD_FOR_MS) || !isNew(nonce)) return undefined;
      return { node, address: decodeURIComponent(address) };
    },
  };

  function isNew(nonce: string): boolean {
    if (seen.has(nonce)) return false;
    for (const [old, moment] of seen) {
      if (since(clock, moment) <= 2 * GOOD_FOR_MS) break;
      seen.delete(old);
    }
    if (seen.size >= MOST_REMEMBERED) return false;
    seen.set(nonce, clock.ticks());
    return true;
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
