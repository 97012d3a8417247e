// Whether a request that goes by the name of one that we have is its repeat. Whoever has seen a branch, or has chosen it in
// somebody else's name, may name it again: what was answered then must not go to anybody because a third party says little.

import type { AskedBy } from "./thrift.ts";
import type { Destination, Source } from "./transport/transport.ts";

/** `replyTo`: where its answers go. */
export type Asked = AskedBy & { replyTo: Destination };

/** A repeat is as long as what it repeats, give or take what proxies write into it. */
const LEAST_SHARE = 1 / 2;

/** `isSamePeer`: two addresses of one carrier. */
export function isRepeat(again: Asked, first: Asked, isSamePeer?: (one: Source, other: Source) => boolean): boolean {
  if (isDatagram(again) !== isDatagram(first)) return false;
  if (again.size !== undefined && first.size !== undefined && again.size < first.size * LEAST_SHARE) return false;
  return isFromSamePlace(again, first) || isSamePeer?.(again.source, first.source) === true;
}

/** A port matters if the answers go there: a translator of addresses may change it where they do not. */
function isFromSamePlace(again: Asked, first: Asked): boolean {
  if (again.replyTo.address !== first.replyTo.address) return false;
  const [noted, before] = [again.source.client, first.source.client];
  if (noted?.address !== before?.address || noted?.port !== before?.port) return false;
  return !isDatagram(again) || again.replyTo.port === first.replyTo.port;
}

const isDatagram = ({ replyTo }: Asked) => replyTo.transport === "udp";
